-- Every statement of the store, by name.
-- `content` and `terms` of a row that stands in `cold` are empty here: what reads them asks `cold_text` and `cold_terms`,
-- functions of our connections (store/cold.py) that read the side file.

-- name: spaces
select no, name, seq, epoch from spaces order by no;

-- name: space
select no, seq, epoch from spaces where name = ?;

-- name: new_space
insert into spaces (name) values (?) on conflict do nothing;

-- name: set_space
update spaces set seq = ?, epoch = ?, nodes = nodes + ? where no = ?;

-- name: space_nodes
select nodes from spaces where name = ?;

-- name: live_nodes
select coalesce(sum(nodes), 0) from spaces;

-- name: recount_nodes
update spaces set epoch = epoch + 1,
                  nodes = (select count(*) from nodes where row between spaces.no << 40 and (spaces.no + 1 << 40) - 1);

-- name: drop_chunks
delete from column_chunks;

-- name: search_totals
-- Record of the keyword index that begins with its number of rows, as a varint.
select block from search_data where id = 1;

-- name: node_by_id
select n.row, n.body_hash, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content), n.hidden_at
from nodes n where n.id = ?;

-- name: row_of_id
select row from nodes where id = ?;

-- name: known_nodes
select n.id, n.row, n.body_hash from json_each(?) j cross join nodes n on n.id = j.value;

-- name: sessions_by_keys
select s.no, s.key, s.started_at, s.last_at, s.last_row, s.project, (select n.role from nodes n where n.row = s.last_row)
from json_each(?2) j cross join sessions s on s.space = ?1 and s.key = j.value;

-- name: new_sessions
insert into sessions (space, key, channel, project, started_at, last_at)
select ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 3 from json_each(?2);

-- name: touch_sessions
update sessions set started_at = min(started_at, j.value ->> 0), last_at = max(last_at, j.value ->> 1),
                    messages = messages + (j.value ->> 2), last_row = j.value ->> 3, completed_at = null,
                    project = coalesce(project, j.value ->> 4)
from json_each(?) j where sessions.no = j.value ->> 5;

-- name: insert_node
insert into nodes (row, id, kind, label, content, key, body_hash, session, source, role, speaker, origin, trust,
                   event_time, valid_from, recorded_at, confidence, importance, valence, stability, shape,
                   subject, predicate, object, attributes, made_by, words)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: insert_search_many
insert into search (rowid, terms) select row, terms from terms where row between ? and ? order by row;

-- name: insert_terms
insert into terms (row, terms) values (?, ?);

-- name: insert_search
insert into search (rowid, terms) values (?, ?);

-- name: insert_tag
insert into tags (tag, row) values (?, ?) on conflict do nothing;

-- name: insert_edge
insert into edges (source, relation, target, predicate, weight, confidence, recorded_at, evidence)
values (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (source, relation, target) do update set
    predicate = excluded.predicate, weight = max(weight, excluded.weight), hidden_at = null, hidden_why = null;

-- name: terms_of
select coalesce((select cold_terms(c.row, c.digest) from cold c where c.row = t.row), t.terms)
from terms t where t.row = ?;

-- name: delete_search
insert into search (search, rowid, terms) values ('delete', ?, ?);

-- name: read_again
-- An episode whose text has changed since it was consolidated is due to be read again.
insert into jobs (id, kind, state, payload, attempts, updated_at)
select 'extract:' || n.row, ?2, 'due', json_object('row', n.row), 0, ?3
from nodes n join sessions s on s.no = n.session where n.row = ?1 and s.watermark >= n.row
on conflict do update set state = 'due', attempts = 0, updated_at = excluded.updated_at;

-- name: update_content
update nodes set content = ?, body_hash = ?, words = ?, event_time = ? where row = ?;

-- name: mark_branch
update nodes set attributes = json_set(coalesce(attributes, '{}'), '$.branch', ?1)
where row = ?2 and json_extract(attributes, '$.branch') is not ?1;

-- name: update_terms
update terms set terms = ? where row = ?;

-- name: drop_chunk
delete from column_chunks where chunk = ?;

-- name: open_sessions
select no, key, messages from sessions where space = ? and channel = ? and completed_at is null;

-- name: newest_session
select key, last_at from sessions where space = ? and channel = ? and completed_at is null order by last_at desc, no desc limit 1;

-- name: complete_session
update sessions set completed_at = ? where no = ? and completed_at is null;

-- name: silent_sessions
select s.no, s.key, p.name, s.channel, s.messages from sessions s join spaces p on p.no = s.space
where s.completed_at is null and s.last_at < ?;

-- name: first_told
select recorded_at from nodes where row between ? and ? order by row limit 1;

-- name: sessions
select s.key, p.name, s.channel, s.started_at, s.last_at, s.messages, s.completed_at, s.project
from sessions s join spaces p on p.no = s.space where p.no = ? order by s.last_at desc, s.no desc limit ? offset ?;

-- name: source
select no, format, mtime_ns, size, offset, head_hash, options from sources where space = ? and path = ?;

-- name: source_files
select path, format, mtime_ns, size from sources where space = ? order by path;

-- name: put_source
insert into sources (space, path, format, mtime_ns, size, offset, head_hash, options, imported_at)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (space, path) do update set format = excluded.format, mtime_ns = excluded.mtime_ns, size = excluded.size,
    offset = excluded.offset, head_hash = excluded.head_hash, options = excluded.options, imported_at = excluded.imported_at
returning no;

-- name: tombstone
select 1 from tombstones where space = ? and hash = ?;

-- name: insert_tombstone
insert into tombstones (space, hash, at) values (?, ?, ?) on conflict do nothing;

-- name: any_tombstone
select exists (select 1 from tombstones where space = ?);

-- name: set_hidden
update nodes set hidden_at = ?, hidden_why = ? where row = ?;

-- name: insert_change
insert into changes (space, at, actor, act, row, before, after, why) values (?, ?, ?, ?, ?, ?, ?, ?) returning no;

-- name: last_change
select max(no) from changes;

-- name: postings
-- As one text of numbers, place of the term << 40 | row counted from the first: a third of what a row each would cost, and
-- the index is opened once for all terms. The outer loop is the list, so that each term's rows stand together, ascending.
select group_concat((j.key << 40) + t.doc - ?2)
from json_each(?1) j cross join search_terms t on t.term = j.value where t.doc between ?2 and ?3;

-- name: postings_prefix
select term, doc from search_terms where term >= ? and term < ? and doc between ? and ?;

-- name: literal
-- Of hot rows; the text of a cold one is empty here.
select n.row from nodes n where n.row between ? and ? and instr(n.content, ?) > 0 order by n.row desc limit ?;

-- name: column_chunks
select chunk, data from column_chunks where chunk between ? and ? order by chunk;

-- name: column_rows
select n.row, n.words, coalesce(n.session, 0), coalesce(n.source, 0), n.kind, n.label, coalesce(n.role, ''),
       coalesce(n.speaker, ''), n.event_time, coalesce(n.valid_from, n.event_time), n.recorded_at, n.trust,
       coalesce((select c.asks from cold c where c.row = n.row),
                substr(rtrim(n.content, ' ' || char(10, 13, 9) || '")»”'), -1) = '?')
from nodes n where n.row between ? and ? order by n.row;

-- name: put_chunk
insert into column_chunks (chunk, data) values (?, ?) on conflict (chunk) do update set data = excluded.data;

-- name: changed_rows
select row, hidden_at, valid_until, closed_at from nodes indexed by nodes_changed
where (hidden_at is not null or valid_until is not null) and row between ? and ?;

-- name: nodes_in
select n.row, n.id, n.kind, n.label, iif(c.row is null, n.content, cold_text(c.row, c.digest)), n.key, s.key, n.role, n.speaker, n.origin, n.trust, n.event_time,
       n.valid_from, n.valid_until, n.recorded_at, n.closed_at, n.hidden_at, n.hidden_why, n.confidence, n.importance,
       n.valence, n.stability, n.shape, n.access_count, n.last_accessed, n.subject, n.predicate, n.object,
       n.attributes, n.made_by, s.project, c.row is not null
from json_each(?1) j join nodes n on n.row = j.value left join sessions s on s.no = n.session
left join cold c on c.row = n.row where ?2 or c.row is null;

-- name: tags_in
select t.row, t.tag from json_each(?) j join tags t on t.row = j.value order by t.row, t.tag;

-- name: rows_of_ids
select n.id, n.row from json_each(?) j join nodes n on n.id = j.value where n.row between ? and ?;

-- name: rows_with_tag
select row from tags where tag = ?3 and row between ?1 and ?2;

-- name: rows_of_entity
select m.row from entity_aliases a join mentions m on m.entity = a.entity where a.space = ? and a.alias = ?;

-- name: rows_of_source
select n.row from sources s join nodes n on n.source = s.no where s.space = ? and s.path = ?;

-- name: source_numbers
select no from sources where space = ? and (path = ?2 or substr(path, 1, length(?2) + 1) = ?2 || '/');

-- name: session_number
select no from sessions where space = ? and key = ?;

-- name: rows_of_session
select row from nodes where session = ? order by event_time, row;

-- name: rows_of_space
select row from nodes where row between ? and ? order by row;

-- name: walk
-- Frontier step: live neighbours of the given rows along the given relations, in both directions.
select j.value, e.target, e.relation, e.weight from json_each(?1) j join edges e on e.source = j.value
where e.relation in (select value from json_each(?2)) and e.hidden_at is null and e.valid_until is null
union all
select j.value, e.source, e.relation, e.weight from json_each(?1) j cross join edges e indexed by edges_target on e.target = j.value
where e.relation in (select value from json_each(?2)) and e.hidden_at is null and e.valid_until is null
limit ?3;

-- name: entity_by_alias
select e.no, e.id, e.type, e.name from entity_aliases a join entities e on e.no = a.entity where a.space = ? and a.alias = ? order by e.no;

-- name: new_entity
insert into entities (id, space, type, name) values (?, ?, ?, ?);

-- name: new_alias
insert into entity_aliases (space, alias, type, entity) values (?, ?, ?, ?) on conflict do nothing;

-- name: alias_entity
select entity from entity_aliases where space = ? and alias = ? and type = ?;

-- name: insert_mention
insert into mentions (entity, row) values (?, ?) on conflict do nothing;

-- name: rows_there
select n.row from json_each(?) j join nodes n on n.row = j.value;

-- name: count_mentions
update entities set mentions = mentions + ?, first_seen = min(coalesce(first_seen, ?), ?), last_seen = max(coalesce(last_seen, ?), ?) where no = ?;

-- name: generation
select no, dimension from generations where name = ?;

-- name: generations
select no, name, dimension from generations order by no;

-- name: new_generation
insert into generations (name, dimension, made_at) values (?, ?, ?) on conflict do nothing;

-- name: embedded_upto
select upto from embedded where generation = ? and space = ?;

-- name: set_embedded
insert into embedded (generation, space, upto) values (?, ?, ?) on conflict do update set upto = excluded.upto;

-- name: due_rows
select n.row, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content)
from nodes n where n.row > ? and n.row <= ? order by n.row limit ?;

-- name: due_retries
select f.row, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content),
       f.attempts
from embed_failures f join nodes n on n.row = f.row
where f.generation = ? and f.retry_at <= ? order by f.row limit ?;

-- name: put_vector
insert into vectors (generation, row, part, data) values (?, ?, ?, ?) on conflict do update set data = excluded.data;

-- name: put_failure
insert into embed_failures (generation, row, attempts, retry_at, reason) values (?, ?, ?, ?, ?)
on conflict do update set attempts = excluded.attempts, retry_at = excluded.retry_at, reason = excluded.reason;

-- name: clear_failure
delete from embed_failures where generation = ? and row = ?;

-- name: failures
select count(*), sum(retry_at is null), min(reason) from embed_failures where generation = ? and row between ? and ?;

-- name: retry_failures
update embed_failures set retry_at = 0, attempts = 0 where generation = ?;

-- name: tail_state
select count(*), max(row) from vectors where generation = ? and row between ? and ?;

-- name: last_vector_chunk
select max(no) from vector_chunks where generation = ? and space = ?;

-- name: tail_vectors
select row, data from vectors where generation = ? and row between ? and ? order by row, part;

-- name: vector_chunks
select no, rows, data from vector_chunks where generation = ? and space = ? and no > ? order by no;

-- name: vector_chunk_rows
select no, rows from vector_chunks where generation = ? and space = ? order by no;

-- name: vector_chunk_data
select rows, data from vector_chunks where no = ?;

-- name: new_vector_chunk
insert into vector_chunks (generation, space, rows, data) values (?, ?, ?, ?);

-- name: delete_vector_chunk
delete from vector_chunks where no = ?;

-- name: update_vector_chunk
update vector_chunks set rows = ?, data = ? where no = ?;

-- name: delete_vector
delete from vectors where generation = ? and row = ?;

-- name: drop_generation
delete from generations where no = ?;

-- name: delete_generation_data
delete from vectors where generation = ?;

-- name: delete_generation_chunks
delete from vector_chunks where generation = ?;

-- name: delete_nodes
delete from nodes where row in (select value from json_each(?));

-- name: delete_terms
delete from terms where row in (select value from json_each(?));

-- name: delete_mentions
delete from mentions where row in (select value from json_each(?));

-- name: delete_edges_from
delete from edges where source in (select value from json_each(?));

-- name: delete_edges_to
delete from edges where target in (select value from json_each(?));

-- name: delete_failures
delete from embed_failures where generation in (select no from generations) and row in (select value from json_each(?));

-- name: delete_vectors_of_rows
delete from vectors where generation in (select no from generations) and row in (select value from json_each(?));

-- name: doomed
select n.row, n.id, n.session, coalesce((select cold_terms(c.row, c.digest) from cold c where c.row = t.row), t.terms)
from json_each(?) j join nodes n on n.row = j.value left join terms t on t.row = n.row;

-- name: doomed_entities
select distinct m.entity from json_each(?) j join mentions m on m.row = j.value;

-- name: delete_empty_sessions
delete from sessions where no in (select value from json_each(?)) and not exists (select 1 from nodes where nodes.session = sessions.no);

-- name: recount_entities
update entities set mentions = (select count(*) from mentions where mentions.entity = entities.no) where no in (select value from json_each(?));

-- name: delete_orphan_sources
delete from sources where space = ? and not exists (select 1 from nodes where nodes.source = sources.no);

-- name: delete_orphan_entities
delete from entities where no in (select value from json_each(?)) and mentions = 0
and not exists (select 1 from facts where facts.entity = entities.no);

-- name: put_job
insert into jobs (id, kind, state, payload, updated_at) values (?, ?, ?, ?, ?);

-- name: touch_job
update jobs set updated_at = ? where id = ?;

-- name: drop_job
delete from jobs where id = ?;

-- name: stale_jobs
select id, payload, result from jobs where kind = ? and updated_at < ?;

-- name: recount_sessions
update sessions set messages = (select count(*) from nodes where nodes.session = sessions.no),
                    last_row = (select max(+row) from nodes where nodes.session = sessions.no)  -- +: by the session, not by row
where no in (select value from json_each(?));

-- name: timeline
select row from nodes where row between ?1 and ?2 and event_time >= ?3 and event_time < ?4 and hidden_at is null
order by event_time, row limit ?5 offset ?6;

-- name: count_search
select count(*) from search_docsize;

-- name: count_terms
select count(*) from terms;

-- name: count_all_nodes
select count(*) from nodes;

-- name: space_counts
select (select count(*) from sessions where space = ?1), (select count(*) from entities where space = ?1);

-- name: lease
select holder, expires_at from leases where name = ?;

-- name: put_lease
insert into leases (name, holder, expires_at) values (?, ?, ?) on conflict do update set holder = excluded.holder, expires_at = excluded.expires_at;

-- name: drop_lease
delete from leases where name = ? and holder = ?;

-- name: meta
select value from meta where key = ?;

-- name: put_meta
insert into meta (key, value) values (?, ?) on conflict do update set value = excluded.value;

-- name: search_texts_made
select n.row, n.content, t.terms from nodes n join terms t on t.row = n.row;

-- name: missing_search
select n.row, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content)
from nodes n left join terms t on t.row = n.row where t.row is null limit ?;

-- name: naming_rows
select n.row, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content),
       n.speaker, n.event_time
from nodes n where n.row > ? and n.row <= ? order by n.row limit ?;

-- name: hidden_of
select hidden_at, hidden_why from nodes where row = ?;

-- name: content_of
select coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content)
from nodes n where n.row = ?;

-- name: packed_chunks
select chunk, substr(data, 1, 16) from column_chunks where chunk between ? and ?;

-- name: integrity
pragma integrity_check(10);

-- name: foreign_keys
select count(*) from pragma_foreign_key_check();

-- name: check_search
insert into search (search, rank) values ('integrity-check', 1);

-- name: rebuild_search
insert into search (search) values ('rebuild');

-- name: secure_search
insert into search (search, rank) values ('secure-delete', ?);

-- name: optimize
pragma optimize;

-- name: merge_search
insert into search (search, rank) values ('merge', ?);

-- name: vector_counts
select (select count(*) from vectors where generation = ?1), (select coalesce(sum(length(rows)) / 8, 0) from vector_chunks where generation = ?1);

-- name: known_words
select j.value from json_each(?2) j cross join words w on w.space = ?1 and w.term = j.value;

-- name: known_word_vectors
select j.value from json_each(?2) j cross join word_vectors v on v.generation = ?1 and v.term = j.value;

-- name: count_words
select count(*) from words where space = ?;

-- name: new_word
insert into words (space, term, surface) values (?, ?, ?) on conflict do nothing;

-- name: put_word_vector
insert into word_vectors (generation, term, data) values (?, ?, ?) on conflict do nothing;

-- name: words_page
select no, term from words where space = ? and no > ? order by no limit ?;

-- name: delete_orphan_words
-- Those of the given words that no row of the space holds any more.
delete from words where space = ?1 and term in (select value from json_each(?2))
and not exists (select 1 from search_terms s where s.term = words.term and s.doc between ?3 and ?4);

-- name: delete_orphan_word_vectors
delete from word_vectors where generation in (select no from generations) and term in (select value from json_each(?))
and not exists (select 1 from words w where w.term = word_vectors.term);

-- name: words_of
select w.no, w.term, v.no, v.data from words w cross join word_vectors v on v.generation = ?2 and v.term = w.term
where w.space = ?1;

-- name: words_after
-- Words that are new to the space, or whose vectors are new: a generation is filled in any order. Each half goes by the
-- number (+: not by another index), so that it costs what is new; asked at every recall, it is mostly nothing.
select w.no, w.term, v.no, v.data from words w cross join word_vectors v on v.generation = ?2 and v.term = w.term
where +w.space = ?1 and w.no > ?3
union all
select w.no, w.term, v.no, v.data from word_vectors v cross join words w on w.space = ?1 and w.term = v.term
where +v.generation = ?2 and v.no > ?4 and w.no <= ?3;

-- name: last_words
-- The highest numbers of all spaces: what a space gets later is above.
select coalesce((select max(no) from words), 0), coalesce((select max(no) from word_vectors), 0);

-- name: delete_generation_words
delete from word_vectors where generation = ?;

-- name: texts_in
select t.row, iif(c.row is null, t.terms, cold_terms(c.row, c.digest))
from json_each(?1) j cross join terms t on t.row = j.value left join cold c on c.row = t.row where ?2 or c.row is null;

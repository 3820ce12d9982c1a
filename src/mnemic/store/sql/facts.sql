-- Statements of the knowledge layer: facts, their slots, evidence and the log of belief.

-- name: put_slot
insert into facts (row, entity, predicate, scope, object) values (?, ?, ?, ?, ?)
on conflict do update set entity = excluded.entity, predicate = excluded.predicate, scope = excluded.scope,
                          object = excluded.object;

-- name: facts_of
-- Facts of an entity under some predicates, oldest first.
select f.row, n.id, f.entity, f.predicate, f.scope, f.object, n.content, n.event_time, n.valid_from, n.valid_until,
       n.recorded_at, n.closed_at, n.hidden_at, n.hidden_why, n.confidence, n.trust, n.stability, n.origin, n.attributes,
       n.made_by, n.object, n.speaker
from facts f join nodes n on n.row = f.row
where f.entity = ?1 and f.predicate in (select value from json_each(?2))
order by f.row;

-- name: facts_in
select f.row, n.id, f.entity, f.predicate, f.scope, f.object, n.content, n.event_time, n.valid_from, n.valid_until,
       n.recorded_at, n.closed_at, n.hidden_at, n.hidden_why, n.confidence, n.trust, n.stability, n.origin, n.attributes,
       n.made_by, n.object, n.speaker
from json_each(?) j join facts f on f.row = j.value join nodes n on n.row = f.row
order by f.row;

-- name: evidence_of
-- What rows were derived from or are supported by, oldest evidence first.
select e.source, e.target, e.relation, e.evidence, n.id, n.origin, n.trust, n.event_time, n.speaker
from json_each(?) j join edges e on e.source = j.value join nodes n on n.row = e.target
where e.relation in ('derived_from', 'supports') and e.hidden_at is null
order by e.source, e.relation, n.event_time, n.row;

-- name: derived_rows
-- What was derived from rows, or is supported by them.
select e.target, e.source, e.relation from json_each(?) j join edges e on e.target = j.value
where e.relation in ('derived_from', 'supports') and e.hidden_at is null;

-- name: put_evidence
insert into edges (source, relation, target, weight, confidence, recorded_at, evidence) values (?, ?, ?, 1.0, ?, ?, ?)
on conflict (source, relation, target) do nothing;

-- name: add_quote
-- Not to what was drawn from the message as a whole, which has none.
update edges set evidence = json_insert(evidence, '$[#]', ?1)
where source = ?2 and target = ?3 and relation in ('derived_from', 'supports') and evidence is not null
and not exists (select 1 from json_each(evidence) j where j.value = ?1);

-- name: put_edge
insert into edges (source, relation, target, predicate, weight, confidence, recorded_at, evidence)
values (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (source, relation, target) do update set hidden_at = null, hidden_why = null, weight = excluded.weight;

-- name: hide_edge
update edges set hidden_at = ?, hidden_why = ? where source = ? and relation = ? and target = ?;

-- name: successors
-- (older, newer) along the live supersedes edges that end at rows.
select e.target, e.source from json_each(?) j join edges e on e.target = j.value
where e.relation = 'supersedes' and e.hidden_at is null;

-- name: predecessors
select e.source, e.target from json_each(?) j join edges e on e.source = j.value
where e.relation = 'supersedes' and e.hidden_at is null;

-- name: related
-- Live links of rows to other memories, beyond the automatic ones, in both directions. All links of a row are read, not those
-- of each relation looked for: of most rows there are two or three.
select j.value, e.target, e.relation, e.weight, 'out' from json_each(?1) j cross join edges e on e.source = j.value
where +e.relation not in ('temporal', 'derived_from', 'supersedes') and e.predicate is not 'turn' and e.hidden_at is null and e.valid_until is null
union all
select j.value, e.source, e.relation, e.weight, 'in' from json_each(?1) j cross join edges e on e.target = j.value
where +e.relation not in ('temporal', 'derived_from', 'supersedes') and e.predicate is not 'turn' and e.hidden_at is null and e.valid_until is null
order by 1, 4 desc, 2
limit ?2;

-- name: conflicts
-- Open conflicts of a space: pairs of live facts.
select e.source, e.target, e.recorded_at, e.predicate from edges e
join nodes a on a.row = e.source join nodes b on b.row = e.target
where e.relation = 'contradicts' and e.hidden_at is null and e.source between ?1 and ?2
and a.hidden_at is null and b.hidden_at is null and a.valid_until is null and b.valid_until is null
order by e.recorded_at desc, e.source limit ?3;

-- name: belief
select valid_from, valid_until, closed_at, hidden_at, hidden_why, confidence, stability, trust, importance, attributes
from nodes where row = ?;

-- name: set_belief
update nodes set valid_from = ?, valid_until = ?, closed_at = ?, hidden_at = ?, hidden_why = ?, confidence = ?,
                 stability = ?, trust = ?, importance = ?, attributes = ?
where row = ?;

-- name: change
select no, at, actor, act, row, before, after, why from changes where space = ? and no = ?;

-- name: changes_of
select no, at, actor, act, row, before, after, why from changes where row in (select value from json_each(?)) order by no;

-- name: changes_between
select no, at, actor, act, row, before, after, why from changes
where space = ? and at > ? and at <= ? and row is not null order by no;

-- name: weak_facts
select f.row from facts f join nodes n on n.row = f.row
where f.row between ?1 and ?2 and n.hidden_at is null and n.valid_until is null
and json_extract(n.attributes, '$.confirmed_at') is null and n.confidence * n.trust < ?3
order by n.confidence * n.trust, f.row limit ?4;

-- name: pending_sessions
-- Sessions with episodes behind their watermark, the longest waiting first; ended ones only, or all; written before a moment.
select s.no, s.key, s.watermark, s.last_row from sessions s
where s.space = ?1 and s.last_row > s.watermark and (?2 or s.completed_at is not null)
  and (?3 is null or coalesce((select n.recorded_at from nodes n where n.row = s.last_row), 0) < ?3)
order by s.last_at, s.no limit ?4;

-- name: unread
-- How many sessions have ended, by word or by silence since a moment, with messages behind their watermark; how many of these.
select count(*), coalesce(sum((select count(*) from nodes n where n.session = s.no and n.row > s.watermark)), 0)
from sessions s where s.space = ?1 and s.last_row > s.watermark and (s.completed_at is not null or s.last_at < ?2);

-- name: unread_sessions
-- Sessions with visible messages behind their watermark, the longest waiting first: how many, from when to when.
select s.no, s.key, s.channel, s.watermark, s.completed_at, count(*), min(n.event_time), max(n.event_time)
from sessions s join nodes n indexed by nodes_session
  on n.session = s.no and n.row > s.watermark and n.kind = 'episodic' and n.hidden_at is null
where s.space = ?1 and s.last_row > s.watermark group by s.no order by s.last_at, s.no;

-- name: sessions_since
-- Sessions of which something has been read, with messages since a moment; one of them, or all.
select s.no, s.watermark from sessions s
where s.space = ?1 and s.watermark > 0 and s.last_at >= ?2 and (?3 is null or s.key = ?3) order by s.last_at, s.no;

-- name: session_by_key
select no, key, watermark, last_row, completed_at from sessions where space = ? and key = ?;

-- name: watermark
select watermark from sessions where no = ?;

-- name: set_watermark
update sessions set watermark = ?2 where no = ?1 and watermark < ?2;

-- name: episodes_after
select n.row, n.id, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content),
       n.event_time, n.role, n.speaker, n.origin, n.trust, n.label
from nodes n indexed by nodes_session
where n.session = ?1 and n.row > ?2 and n.row <= ?3 and n.kind = 'episodic' and n.hidden_at is null order by n.row limit ?4;

-- name: episodes_in
select n.row, n.id, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content),
       n.event_time, n.role, n.speaker, n.origin, n.trust, n.label
from nodes n where n.row in (select value from json_each(?)) and n.kind = 'episodic' and n.hidden_at is null order by n.row;

-- name: due_jobs
-- What has been given up waits for a call by hand.
select id, payload, attempts from jobs
where kind = ?1 and (state = 'due' or (state = 'given up' and ?4)) and updated_at <= ?2 order by updated_at limit ?3;

-- name: save_job
insert into jobs (id, kind, state, payload, result, attempts, updated_at) values (?, ?, ?, ?, ?, ?, ?)
on conflict do update set state = excluded.state, payload = excluded.payload, result = excluded.result,
                          attempts = excluded.attempts, updated_at = excluded.updated_at;

-- name: job
select state, payload, result, attempts, updated_at from jobs where id = ?;

-- name: rows_by_origin
select row from nodes where row between ? and ? and origin = ? and hidden_at is null order by row;

-- name: skip_to_end
-- Nothing visible is left behind this watermark.
update sessions set watermark = last_row where no = ?1 and watermark = ?2 and last_row > ?2
and not exists (select 1 from nodes where session = ?1 and row > ?2 and kind = 'episodic' and hidden_at is null);

-- name: known_names
-- Names of a space with their type, the most mentioned first.
select a.alias, e.type from entities e join entity_aliases a on a.entity = e.no where e.space = ?
order by e.mentions desc, e.no limit ?;

-- name: drop_job
delete from jobs where id = ?;

-- name: begins
select coalesce(valid_from, event_time) from nodes where row = ?;

-- name: hidden_with
select n.row from json_each(?) j join nodes n on n.row = j.value where n.hidden_why = ?;

-- name: entities_of_type
select e.no, e.id, e.type, e.name, e.mentions, e.last_seen, e.first_seen,
       (select group_concat(a.alias, char(10)) from entity_aliases a where a.entity = e.no)
from entities e where e.space = ? and e.type = ? order by e.mentions desc, e.no limit ?;

-- name: entity_of_alias
select e.no, e.id, e.type, e.name, e.mentions, e.last_seen, e.first_seen,
       (select group_concat(b.alias, char(10)) from entity_aliases b where b.entity = e.no)
from entity_aliases a join entities e on e.no = a.entity where a.space = ? and a.alias = ? and a.type = ?;

-- name: entity_page
select e.no, e.id, e.type, e.name, e.mentions, e.last_seen, e.first_seen,
       (select group_concat(alias, char(10)) from (select alias from entity_aliases where entity = e.no order by alias))
from entities e where e.space = ?1 and (?2 is null or e.type = ?2) order by e.mentions desc, e.no limit ?3;

-- name: entity_by_id
select e.no, e.id, e.type, e.name, e.mentions, e.last_seen, e.first_seen,
       (select group_concat(alias, char(10)) from (select alias from entity_aliases where entity = e.no order by alias))
from entities e where e.space = ?1 and e.id = ?2;

-- name: rows_of
select n.row from json_each(?) j join nodes n on n.id = j.value;

-- name: entities_named
select e.no, e.id, e.type, e.name, e.mentions, e.last_seen, e.first_seen,
       (select group_concat(alias, char(10)) from (select alias from entity_aliases where entity = e.no order by alias))
from entities e where e.space = ?1 and e.no in (select entity from entity_aliases where space = ?1 and alias = ?2) order by e.no;

-- name: entities_between
-- Those with an alias from one text up to another.
select e.no, e.id, e.type, e.name, e.mentions, e.last_seen, e.first_seen,
       (select group_concat(alias, char(10)) from (select alias from entity_aliases where entity = e.no order by alias))
from entities e where e.no in (select entity from entity_aliases where space = ?1 and alias >= ?2 and alias < ?3) order by e.no;

-- name: entities_mentioned
select e.no, e.id, e.type, e.name, e.mentions, e.last_seen, e.first_seen,
       (select group_concat(alias, char(10)) from (select alias from entity_aliases where entity = e.no order by alias))
from mentions m join entities e on e.no = m.entity where m.row = ? order by e.no;

-- name: mentions_of
select j.value, m.entity from json_each(?) j join mentions m on m.row = j.value order by 1, 2;

-- Statements of erasing: what stood on the erased, what it had done to the rest, and traces of it in other tables.

-- name: drawn_from
-- What was read out of rows; hidden links too, the words are there all the same.
select distinct e.source from json_each(?) j join edges e on e.target = j.value where e.relation = 'derived_from';

-- name: sources
-- What rows stand on, the oldest link first.
select e.source, e.target, e.relation, e.recorded_at, e.evidence is null, e.confidence, n.made_by, t.kind, t.hidden_at,
       t.trust, t.origin
from json_each(?) j join edges e on e.source = j.value join nodes n on n.row = e.source join nodes t on t.row = e.target
where e.relation in ('derived_from', 'supports') order by e.source, e.recorded_at, e.target;

-- name: leaning
-- Rows that have any of the given ones as evidence.
select distinct e.source from json_each(?) j join edges e on e.target = j.value
where e.relation in ('derived_from', 'supports');

-- name: duplicates
-- (statement, hidden repetition of it).
select e.source, e.target from json_each(?) j join edges e on e.source = j.value join nodes n on n.row = e.target
where e.relation = 'supports' and n.hidden_why = 'duplicate';

-- name: repeats
-- (hidden repetition, statement that it repeats).
select e.target, e.source from json_each(?) j join edges e on e.target = j.value where e.relation = 'supports';

-- name: opposed
-- Rows that rows have ended or contradict, or that have ended or contradict them.
select e.target from json_each(?1) j join edges e on e.source = j.value where e.relation in ('supersedes', 'contradicts')
union
select e.source from json_each(?1) j join edges e on e.target = j.value where e.relation in ('supersedes', 'contradicts');

-- name: visible
select n.row from json_each(?) j join nodes n on n.row = j.value where n.hidden_at is null;

-- name: said
-- Every text that rows hold, with their terms.
select coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content),
       n.speaker, n.subject, n.object, n.attributes, n.hidden_why, n.key,
       coalesce((select cold_terms(c.row, c.digest) from cold c where c.row = t.row), t.terms),
       (select group_concat(g.tag, char(10)) from tags g where g.row = n.row)
from json_each(?) j join nodes n on n.row = j.value left join terms t on t.row = n.row;

-- name: put_due
-- An episode is to be read again; one that waits already keeps its place.
insert into jobs (id, kind, state, payload, updated_at) values (?, ?, 'due', ?, ?) on conflict do nothing;

-- name: blank_changes
update changes set before = null, after = null, why = null
where row in (select value from json_each(?)) and (before is not null or after is not null or why is not null);

-- name: blank_why
update changes set why = null where no = ?;

-- name: blank_change
update changes set before = null, after = null, why = null where no = ?;

-- name: entity_changes
select no, before, after, why from changes where space = ? and act glob 'entity.*' and row is null;

-- name: drop_seasons
-- Topics that rows are behind, whole: their words may have come from these.
delete from seasons where (space, topic) in
    (select s.space, s.topic from json_each(?) j join seasons s on s.row = j.value);

-- name: delete_extraction_jobs
delete from jobs where id in (select 'extract:' || value from json_each(?));

-- name: other_jobs
select id, state, payload, result from jobs where kind not in ('erase', 'cold') and (payload is not null or result is not null);

-- name: blank_job
update jobs set payload = null, result = null where id = ?;

-- name: drop_profiles
update entities set profile = null where no in (select value from json_each(?)) and profile is not null;

-- name: delete_lone_entities
-- Those that no memory of the space speaks of any more.
delete from entities where space = ? and not exists (select 1 from mentions m where m.entity = entities.no)
and not exists (select 1 from facts f where f.entity = entities.no);

-- name: names_of
-- Entities that have several names: number, name, alias, type.
select e.no, e.name, a.alias, a.type from json_each(?) j join entities e on e.no = j.value
join entity_aliases a on a.entity = e.no
where (select count(*) from entity_aliases b where b.entity = e.no) > 1 order by e.no, a.alias, a.type;

-- name: mentioning
-- Terms and names in the memories that speak of an entity, the newest first.
select coalesce((select cold_terms(c.row, c.digest) from cold c where c.row = t.row), t.terms),
       n.speaker, n.subject, n.object
from mentions m join nodes n on n.row = m.row
left join terms t on t.row = n.row where m.entity = ? order by m.row desc limit ?;

-- name: drop_alias
delete from entity_aliases where entity = ? and alias = ?;

-- name: rename_entity
update entities set name = ? where no = ?;

-- name: surfaces
-- How words of a space are written, of those given.
select w.no, w.term, w.surface from json_each(?2) j join words w on w.space = ?1 and w.term = j.value;

-- name: set_surface
update words set surface = ? where no = ?;

-- name: holders
-- Some rows of a space that hold a term.
select coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content)
from search_terms s join nodes n on n.row = s.doc where s.term = ? and s.doc between ? and ? limit ?;

-- name: progress_job
update jobs set updated_at = ?, result = ? where id = ?;

-- name: terms_left
-- Those of the given terms that some memory of the file still holds.
select j.value from json_each(?) j where exists (select 1 from search_terms s where s.term = j.value);

-- name: held_elsewhere
-- Those of the given texts that what remains in the file holds by right.
select j.value from json_each(?) j where
    exists (select 1 from nodes n where instr(n.content, j.value) or instr(n.speaker, j.value) or instr(n.attributes, j.value)
            or instr(n.subject, j.value) or instr(n.object, j.value) or instr(n.key, j.value) or instr(n.hidden_why, j.value))
    or exists (select 1 from terms t where instr(t.terms, j.value))
    or exists (select 1 from tags g where instr(g.tag, j.value))
    or exists (select 1 from sessions s where instr(s.key, j.value) or instr(s.project, j.value))
    or exists (select 1 from sources s where instr(s.path, j.value)) or exists (select 1 from spaces s where instr(s.name, j.value))
    or exists (select 1 from edges e where e.evidence is not null and instr(e.evidence, j.value));

-- name: held_cold
-- Those of the given texts that cold memories hold.
select j.value from json_each(?) j where exists (
    select 1 from cold c where instr(cold_text(c.row, c.digest), j.value) or instr(cold_terms(c.row, c.digest), j.value));

-- name: tombstones
select hash from tombstones t join spaces s on s.no = t.space where s.name = ?;

-- name: ids
select row, id from nodes where row between ? and ? order by row;

-- name: own_words
select sql from sqlite_schema where sql is not null
union select distinct act from changes;

-- name: drop_causes
-- Causal links between facts that were quoted from the erased.
delete from edges where relation = 'causal'
and source in (select e.source from json_each(?1) j join edges e on e.target = j.value where e.relation in ('derived_from', 'supports'))
and json_extract(evidence, '$.from') in (select n.id from json_each(?1) j join nodes n on n.row = j.value);

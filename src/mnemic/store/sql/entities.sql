-- Statements of entities: names, merging, splitting. See store/entities.py.

-- name: entity
select no, id, space, type, name, profile, mentions, first_seen, last_seen from entities where no = ?;

-- name: entity_of_id
select no, id, space, type, name, profile, mentions, first_seen, last_seen from entities where space = ? and id = ?;

-- name: put_entity
-- As it was before; under its old number where nobody has taken that.
insert into entities (no, id, space, type, name, profile, first_seen, last_seen)
values ((select ?1 where not exists (select 1 from entities where no = ?1)), ?2, ?3, ?4, ?5, ?6, ?7, ?8) returning no;

-- name: set_entity
update entities set type = ?, name = ?, profile = ? where no = ?;

-- name: set_seen
update entities set first_seen = ?, last_seen = ? where no = ?;

-- name: recount
update entities set
    mentions = (select count(*) from mentions m where m.entity = entities.no),
    first_seen = (select min(n.event_time) from mentions m join nodes n on n.row = m.row where m.entity = entities.no),
    last_seen = (select max(n.event_time) from mentions m join nodes n on n.row = m.row where m.entity = entities.no)
where no = ?;

-- name: delete_entity
delete from entities where no = ?;

-- name: aliases
select alias, type from entity_aliases where entity = ? order by alias, type;

-- name: drop_alias
delete from entity_aliases where space = ? and alias = ? and type = ? and entity = ?;

-- name: rows_of
select row from mentions where entity = ? order by row;

-- name: put_mentions
-- Of the given rows those that there still are, in the space.
insert into mentions (entity, row) select ?1, n.row from json_each(?2) j cross join nodes n on n.row = j.value
where n.row between ?3 and ?4 on conflict do nothing;

-- name: drop_mentions
delete from mentions where entity = ?1 and row in (select value from json_each(?2));

-- name: change
select act, before, after from changes where space = ? and no = ?;

-- name: undone
select 1 from changes where space = ? and act = 'entity.undo' and before = ?;

-- name: entity_changes
select no, act, before, after from changes where space = ? and act glob 'entity.*' order by no desc;

-- name: blank_change
update changes set before = null, after = null, why = null where no = ?;

-- name: entity_ids
select id from entities where space = ?;

-- name: texts
-- What the rows of an entity say, to see by which of its names.
select n.row, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content),
       n.speaker, n.subject, n.object
from json_each(?) j cross join nodes n on n.row = j.value order by n.row;

-- name: together
-- Who is mentioned with the given entities, in at most so many of the newest rows of each.
select j.value, o.entity, count(*) from json_each(?1) j cross join mentions o
where o.row in (select m.row from mentions m where m.entity = j.value order by m.row desc limit ?2) and o.entity <> j.value
group by 1, 2 order by 1, 3 desc, 2;

-- name: set_before
update changes set before = ? where no = ?;

-- name: drop_profiles
-- Those that rest on a fact that is gone.
update entities set profile = null where space = ? and profile is not null and exists (
    select 1 from json_each(profile, '$.facts') f where not exists (select 1 from nodes n where n.id = f.value));

-- name: slots_of
-- Facts about an entity.
select row from facts where entity = ? order by row;

-- name: move_slots
update facts set entity = ?1 where row in (select value from json_each(?2));

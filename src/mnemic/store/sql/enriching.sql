-- Statements of the nightly enrichment: which profiles are due, and what they are made from. See store/reads.py.

-- name: profile_due
-- Entities with enough mentions whose profile is missing or older than a mention.
select no from entities where space = ?1 and no > ?2 and mentions >= ?3
and (profile is null or case when json_valid(profile) then json_extract(profile, '$.mentions') end is not mentions)
order by no limit ?4;

-- name: profiled
select e.no, e.id, e.type, e.name, e.mentions, e.last_seen, e.first_seen,
       (select group_concat(alias, char(10)) from (select alias from entity_aliases where entity = e.no order by alias)), e.profile
from json_each(?) j join entities e on e.no = j.value order by e.no;

-- name: rows_of_all
select m.entity, m.row from json_each(?) j join mentions m on m.entity = j.value order by 1, 2;

-- name: changes_since
-- What the log says of memories and entities, in order.
select no, act, row, case when row is null then before end from changes
where space = ?1 and no > ?2 and no <= ?3 order by no limit ?4;

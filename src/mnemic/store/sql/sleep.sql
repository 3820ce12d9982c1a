-- Statements of forgetting and of the nightly run.

-- name: fading
-- What the strength of rows depends on; of each only what is offered now.
select n.row, n.id, n.label, n.kind, n.predicate, json_extract(n.attributes, '$.confirmed_at') is not null, n.confidence,
       n.importance, n.valence, n.stability, n.shape, n.access_count, max(coalesce(n.last_accessed, 0), n.recorded_at)
from json_each(?1) j join nodes n on n.row = j.value
where n.hidden_at is null and (n.valid_until is null or n.valid_until > ?2)
order by n.row;

-- name: connections
-- How many live links hold a row up, either way: neither the order of messages nor a contradiction does.
select j.value, (select count(*) from edges e where e.source = j.value and e.relation not in ('temporal', 'contradicts') and e.predicate is not 'turn' and e.hidden_at is null)
              + (select count(*) from edges e where e.target = j.value and e.relation not in ('temporal', 'contradicts') and e.predicate is not 'turn' and e.hidden_at is null)
from json_each(?) j;

-- name: holds_up
-- (row, row and id of what it alone supports): live memories derived from this row and from no other that is offered.
select j.value, n.row, n.id
from json_each(?) j
join edges e on e.target = j.value and e.relation in ('derived_from', 'supports') and e.hidden_at is null
join nodes n on n.row = e.source and n.hidden_at is null
where not exists (
    select 1 from edges o join nodes t on t.row = o.target
    where o.source = e.source and o.target <> e.target and o.relation in ('derived_from', 'supports')
    and o.hidden_at is null and t.hidden_at is null
)
order by 1, e.source;

-- name: use
update nodes set access_count = access_count + ?2, last_accessed = max(coalesce(last_accessed, 0), ?3) where row = ?1;

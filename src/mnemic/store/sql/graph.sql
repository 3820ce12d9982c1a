-- Statements of walks over the graph. See store/graph.py.

-- name: edges_of
-- Live edges of rows, either way: the row, its edge, and whether that is the order from a question of the user to an answer of
-- the assistant. At most so many: of a document with thousands of sections not all are needed to find a way.
select j.value, e.source, e.target, e.relation, e.weight, e.confidence, e.recorded_at,
       e.relation = 'temporal' and s.role is 'user' and t.role is 'assistant'
from json_each(?1) j cross join edges e on (e.source = j.value or e.target = j.value)
cross join nodes s on s.row = e.source cross join nodes t on t.row = e.target
where e.hidden_at is null and e.valid_until is null limit ?2;

-- name: names_in
-- What rows mention, with how often that is mentioned at all.
select j.value, e.no, e.name, e.mentions from json_each(?1) j cross join mentions m on m.row = j.value
cross join entities e on e.no = m.entity;

-- name: newest_of
-- At most so many of the newest rows that mention each entity, and one row that is looked for, however old it is.
select j.value, m.row from json_each(?1) j cross join mentions m on m.entity = j.value
and m.row in (select o.row from mentions o where o.entity = j.value order by o.row desc limit ?2)
union all
select j.value, m.row from json_each(?1) j cross join mentions m on m.entity = j.value and m.row = ?3;

-- name: named_like
-- Names of a space that begin like given ones, the most mentioned first.
select a.alias, e.no, e.type = 'person', j.key from json_each(?2) j
cross join entity_aliases a on a.space = ?1 and a.alias >= j.value and a.alias < j.value || char(1114111)
cross join entities e on e.no = a.entity order by e.mentions desc, a.alias limit ?3;

-- name: named_exactly
-- Names of a space that are given phrases, each with the number of its beginning among those given.
select a.alias, e.no, e.type = 'person', k.key from json_each(?2) j
cross join entity_aliases a on a.space = ?1 and a.alias = j.value
cross join entities e on e.no = a.entity
cross join json_each(?3) k on substr(a.alias, 1, length(k.value)) = k.value and length(k.value) = min(3, length(a.alias));

-- name: named_so
-- Names of a space that are given words exactly.
select a.alias, a.entity from json_each(?2) j cross join entity_aliases a on a.space = ?1 and a.alias = j.value;

-- name: names_of
-- All names of entities.
select e.no, e.name, a.alias from json_each(?1) j cross join entities e on e.no = j.value
cross join entity_aliases a on a.entity = e.no order by e.no, a.alias;

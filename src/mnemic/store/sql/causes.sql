-- Statements of causal edges: source is the cause, target the effect. See store/graph.py.

-- name: put
-- One that is hidden was taken back, and stays so.
insert into edges (source, relation, target, predicate, weight, confidence, recorded_at, evidence)
values (?, 'causal', ?, ?, 1.0, ?, ?, ?) on conflict (source, relation, target) do nothing;

-- name: causes
-- Of rows, as a reader knows them at a time, the surest first.
select e.target, e.source, e.confidence, e.evidence from json_each(?1) j join edges e on e.target = j.value
where e.relation = 'causal' and e.valid_until is null and e.recorded_at <= ?2 and (e.hidden_at is null or e.hidden_at > ?2)
order by e.confidence desc, e.target, e.source;

-- name: effects
select e.source, e.target, e.confidence, e.evidence from json_each(?1) j join edges e on e.source = j.value
where e.relation = 'causal' and e.valid_until is null and e.recorded_at <= ?2 and (e.hidden_at is null or e.hidden_at > ?2)
order by e.confidence desc, e.source, e.target;

-- name: hidden
select hidden_at from edges where source = ? and relation = 'causal' and target = ?;

-- Statements of the clean-up: facts that say the same, facts that contradict each other. Documents are not compared: what
-- stands in one is for its file to say.

-- name: facts_after
-- Facts beyond a row that are offered and not over, with their text, a page of them.
select row, content from nodes
where row > ?1 and row <= ?2 and kind <> 'episodic' and label not in ('card', 'card_section') and hidden_at is null and valid_until is null order by row limit ?3;

-- name: put_sense
insert into senses (row, sense, topic) values (?, ?, ?)
on conflict do update set sense = excluded.sense, topic = excluded.topic;

-- name: drop_senses
delete from senses where row between ? and ?;

-- name: shared_senses
-- Numbers that several facts share which are offered and not over, the next ones in order.
select s.sense from senses s join nodes n on n.row = s.row
where s.row between ?1 and ?2 and s.sense > ?3 and n.hidden_at is null and n.valid_until is null
group by s.sense having count(*) > 1 order by s.sense limit ?4;

-- name: of_sense
select s.row from senses s join nodes n on n.row = s.row
where s.sense = ?1 and s.row between ?2 and ?3 and n.hidden_at is null and n.valid_until is null order by s.row;

-- name: compared
-- Facts that are offered and not over, as the clean-up compares them; how much stands behind each.
select n.row, n.id, n.content, f.entity, f.predicate, f.scope, f.object, coalesce(n.valid_from, n.event_time), n.event_time,
       n.trust, json_extract(n.attributes, '$.confirmed_at') is not null,
       coalesce(json_extract(n.attributes, '$.holder'), n.speaker, ''), n.recorded_at,
       (select count(*) from edges e where e.source = n.row and e.relation in ('derived_from', 'supports') and e.hidden_at is null),
       n.label, n.kind, json_extract(n.attributes, '$.project')
from json_each(?1) j join nodes n on n.row = j.value left join facts f on f.row = n.row
where n.kind <> 'episodic' and n.label not in ('card', 'card_section') and n.hidden_at is null and n.valid_until is null
order by n.row;

-- name: taken_apart
-- Those of some rows that were hidden as duplicates and that somebody brought back.
select distinct c.row from json_each(?) j join changes c on c.row = j.value
where c.act in ('restore', 'undo') and c.before like '%"duplicate"%';

-- name: at_issue
-- Pairs of some rows between which there is or was a contradiction.
select e.source, e.target from json_each(?1) j join edges e on e.source = j.value and e.relation = 'contradicts'
union
select e.source, e.target from json_each(?1) j join edges e on e.target = j.value and e.relation = 'contradicts';

-- name: links_from
-- Live links of a row to others that a copy of it would have too.
select relation, target, weight, confidence, evidence from edges
where source = ? and hidden_at is null and relation <> 'temporal' and coalesce(predicate, '') not in ('duplicate', 'turn') order by relation, target;

-- name: links_to
select relation, source, weight, confidence, evidence from edges
where target = ? and hidden_at is null and relation <> 'temporal' and coalesce(predicate, '') not in ('duplicate', 'turn') order by relation, source;

-- name: inherit_link
insert into edges (source, relation, target, predicate, weight, confidence, recorded_at, evidence)
values (?, ?, ?, null, ?, ?, ?, ?) on conflict do nothing;

-- name: return_link
delete from edges where source = ? and relation = ? and target = ?;

-- name: inherit_tags
insert into tags (tag, row) select tag, ?2 from tags where row = ?1 on conflict do nothing returning tag;

-- name: return_tag
delete from tags where tag = ? and row = ?;

-- name: inherit_mentions
insert into mentions (entity, row) select entity, ?2 from mentions where row = ?1 on conflict do nothing returning entity;

-- name: count_mention
update entities set mentions = mentions + ? where no = ?;

-- name: return_mention
delete from mentions where entity = ? and row = ?;

-- name: inherit_slot
insert into facts (row, entity, predicate, scope, object) select ?2, entity, predicate, scope, object from facts where row = ?1
on conflict do nothing;

-- name: return_slot
delete from facts where row = ?;

-- name: uses
-- How often it was used, and when it was last used or said.
select access_count, max(coalesce(last_accessed, 0), recorded_at) from nodes where row = ?;

-- name: last_accessed
select last_accessed from nodes where row = ?;

-- name: return_last
update nodes set last_accessed = ?1 where row = ?2 and last_accessed = ?3;

-- name: set_uses
update nodes set access_count = max(0, access_count + ?), last_accessed = coalesce(max(last_accessed, ?2), last_accessed, ?2)
where row = ?3;

-- name: copy_of
-- What tells which fact a copy was hidden for, and what that one got from it.
insert into edges (source, relation, target, predicate, weight, confidence, recorded_at, evidence)
values (?, 'similar', ?, 'duplicate', 1.0, 1.0, ?, ?)
on conflict do update set predicate = 'duplicate', hidden_at = null, hidden_why = null, evidence = excluded.evidence,
                          recorded_at = excluded.recorded_at;

-- name: copied
select target, evidence from edges
where source = ? and relation = 'similar' and predicate = 'duplicate' and hidden_at is null;

-- name: chunk_rows
select c.no, c.rows from vector_chunks c where c.generation = ? and c.space = ? order by c.no;

-- name: chunk_part
select substr(data, ?2, ?3) from vector_chunks where no = ?1;

-- name: loose_vectors
select v.row, v.data from json_each(?2) j join vectors v on v.generation = ?1 and v.row = j.value order by v.row, v.part;

-- name: fresh_facts
select row from nodes
where row > ?1 and row <= ?2 and recorded_at >= ?3 and kind <> 'episodic' and label not in ('card', 'card_section')
and hidden_at is null and valid_until is null
order by row;

-- name: of_topics
-- (fact, another one that speaks of the same), both offered and not over, for some facts.
select j.value, o.row
from json_each(?1) j join senses s on s.row = j.value
join senses o on o.topic = s.topic and o.row between ?2 and ?3 and o.row <> s.row
join nodes n on n.row = o.row
where n.kind <> 'episodic' and n.hidden_at is null and n.valid_until is null
and (select count(*) from (select 1 from senses c where c.topic = s.topic and c.row between ?2 and ?3 limit ?4)) < ?4
order by j.value, o.row;

-- Statements of what comes back every year.

-- name: spoken
-- Search texts of what the user said and of what is known to have happened, page by page: hidden rows, third parties,
-- documents and long texts left out, facts dated no better than to a season, and what is far from our days.
select n.row, n.event_time, coalesce((select cold_terms(c.row, c.digest) from cold c where c.row = t.row), t.terms)
from nodes n join terms t on t.row = n.row
where n.row between ?1 and ?2 and n.row > ?3 and n.hidden_at is null and n.words between 1 and ?4
and n.event_time between ?6 and ?7 and n.origin not in ('tool', 'external', 'unknown')
and (n.role = 'user' or n.kind <> 'episodic' and n.label not in ('card', 'card_section')
     and coalesce(n.attributes ->> '$.granularity', 'day') not in ('season', 'year'))
order by n.row limit ?5;

-- name: state
-- What there is to read: it has changed when one of these has.
select s.seq, s.epoch, (select max(no) from changes) from spaces s where s.name = ?;

-- name: topics
select distinct topic from seasons where space = ?;

-- name: clear
delete from seasons where space = ?;

-- name: put
insert into seasons (space, topic, row, year, first, last, chance) values (?, ?, ?, ?, ?, ?, ?);

-- name: memories
-- The visible memories behind each topic, the newest first.
select s.topic, s.row, n.id, n.event_time, s.year, s.first, s.last, s.chance
from seasons s join nodes n on n.row = s.row where s.space = ? and n.hidden_at is null
order by s.topic, n.event_time desc, s.row desc;

-- name: memories_near
-- The same of those topics only that one of the given memories is behind.
select s.topic, s.row, n.id, n.event_time, s.year, s.first, s.last, s.chance
from seasons s join nodes n on n.row = s.row
where s.space = ?1 and n.hidden_at is null and s.topic in
    (select o.topic from json_each(?2) j join nodes m on m.id = j.value join seasons o on o.row = m.row where o.space = ?1)
order by s.topic, n.event_time desc, s.row desc;

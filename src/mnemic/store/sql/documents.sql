-- Reference documents: a card is a node (label 'card'), its sections are nodes derived from it (label 'card_section').

-- name: card_of_path
-- The card of a file, whether offered or not.
select n.row from sources s join nodes n on n.source = s.no where s.space = ? and s.path = ? and n.label = 'card'
order by n.row limit 1;

-- name: source_of
select no from sources where space = ? and path = ?;

-- name: card_state
select row, id, key, content, attributes, hidden_at, hidden_why, source, importance, origin, made_by
from nodes where row = ? and label = 'card';

-- name: sections_of
-- Every section a card ever had.
select n.row, n.id, n.attributes, n.event_time, n.valid_until, n.hidden_at, n.hidden_why
from edges e join nodes n on n.row = e.source
where e.target = ? and e.relation = 'derived_from' and n.label = 'card_section' order by n.row;

-- name: sections_shown
-- (card, section) of the sections that are offered.
select e.target, e.source from json_each(?) j join edges e on e.target = j.value join nodes n on n.row = e.source
where e.relation = 'derived_from' and n.label = 'card_section' and n.hidden_at is null and n.valid_until is null
order by e.target, e.source;

-- name: uses_of
-- (card, useful accesses, last one) over all sections it ever had.
select e.target, sum(n.access_count), max(n.last_accessed) from json_each(?) j join edges e on e.target = j.value
join nodes n on n.row = e.source
where e.relation = 'derived_from' and n.label = 'card_section' group by e.target;

-- name: set_attributes
update nodes set attributes = ? where row = ?;

-- name: describe
update nodes set content = ?, body_hash = ?, words = ?, attributes = ?, made_by = ?, event_time = ?, recorded_at = ?
where row = ?;

-- name: move_rows
-- A file has another name now: what was read from it follows.
update nodes set source = ?1 where row = ?2
or (label = 'card_section' and row in (select source from edges where target = ?2 and relation = 'derived_from'));

-- name: cards_losing
-- Cards that stay when rows go which were read out of them.
select distinct e.target from json_each(?1) j join edges e on e.source = j.value join nodes n on n.row = e.target
where e.relation = 'derived_from' and n.label = 'card' and e.target not in (select value from json_each(?1));

-- name: rules_of
select n.row, n.id, n.origin, n.attributes ->> '$.title', n.attributes ->> '$.path', n.attributes -> '$.rule'
from json_each(?) j join nodes n on n.row = j.value order by n.row;

-- name: sections_among
select n.row from json_each(?) j join nodes n on n.row = j.value where n.label = 'card_section';

-- What a person had forgotten: hidden by the verb `forget`, not by what code does by itself (decayed, duplicate, refined, a
-- verdict on a conflict …), nor along with something else. The changes say by which act a memory is hidden.

-- name: among
-- Of rows: those that are forgotten (no quotes, no relation), and with the messages among them each forgotten fact that was read
-- from it or is supported by it. Whether anything of a row has changed is asked of the small index first: mostly nothing has.
with asked as (select value as row from json_each(?1)),
     met as (select row as message, row as fact, null as relation, null as quotes from asked
             union all
             select e.target, e.source, e.relation, e.evidence from asked a cross join edges e on e.target = a.row
             where e.relation in ('derived_from', 'supports') and e.hidden_at is null),
     changed as (select m.*, n.row as there from met m cross join nodes n indexed by nodes_changed on n.row = m.fact
                 where n.hidden_at is not null or n.valid_until is not null)
select m.message, m.relation, m.quotes, iif(n.kind <> 'episodic', coalesce(n.object, n.content), null), n.hidden_at
from changed m cross join nodes n not indexed on n.row = m.there
where n.hidden_at is not null and n.hidden_why not in (select value from json_each(?2)) and n.hidden_why not like 'source %'
and (select c.act from changes c where c.row = n.row and c.act in ('hide', 'rejected', 'refined', 'merged')
     order by c.no desc limit 1) = 'hide';

-- name: any
-- Whether anything ever was: else nothing more is asked.
select 1 from meta where key = 'forgotten';

-- name: note
insert into meta (key, value) values ('forgotten', 'yes') on conflict do nothing;

-- name: messages
select n.row, coalesce((select cold_text(c.row, c.digest) from cold c where c.row = n.row), n.content)
from nodes n where n.row in (select value from json_each(?1)) and n.kind = 'episodic';

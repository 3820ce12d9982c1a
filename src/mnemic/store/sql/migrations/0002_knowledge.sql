-- 0002: slots of facts.

create table facts (
    row       integer primary key references nodes (row) on delete cascade,
    entity    integer not null references entities (no),
    predicate text not null,
    scope     text not null default '',
    object    text not null
) strict;
create index facts_slot on facts (entity, predicate, scope);

-- A batch of an import becomes one piece of the index, not several that have to be merged: a fifth of the writing.
insert into search (search, rank) values ('hashsize', 8388608);

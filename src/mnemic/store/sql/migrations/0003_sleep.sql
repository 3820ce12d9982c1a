-- 0003: what the nightly run keeps beside the memories.

-- Rows whose content and search text stand compressed in the side file (NAME.cold).
create table cold (
    row integer primary key references nodes (row) on delete cascade,
    at  integer not null
) strict;

-- Derived: what comes back every year. `month` 1…12 in the user's zone; `years` a JSON list of the years it was asked in.
create table seasons (
    space integer not null references spaces (no) on delete cascade,
    month integer not null,
    row   integer not null references nodes (row) on delete cascade,  -- the newest memory of the topic
    topic text not null,
    years text not null,
    primary key (space, month, row)
) strict, without rowid;
create index seasons_row on seasons (row);

-- Derived: what each fact says and what it speaks of, as numbers that are the same for every order, form and synonym of its
-- words: facts that may be duplicates of each other have one sense, those that may contradict each other one topic (null:
-- none). Filled by the nightly run.
create table senses (
    row   integer primary key references nodes (row) on delete cascade,
    sense integer not null,
    topic integer
) strict;
create index senses_sense on senses (sense);
create index senses_topic on senses (topic) where topic is not null;

-- 0003: what the nightly run keeps beside the memories.

-- Rows whose content and search text stand compressed in the side file (NAME.cold).
create table cold (
    row    integer primary key references nodes (row) on delete cascade,
    digest integer not null,               -- of both texts, so that a side file of another time is not taken for ours
    asks   integer not null                -- whether the content ends with a question mark
) strict;

-- Derived: what comes back every year, one row for each memory behind a topic. `topic`: stems; `year`: of the middle of that
-- season; `first`, `last`: its days, 1…366 of a leap year in the user's zone, `first` the greater one where it goes over
-- New Year; `chance`: how likely such a pattern is by accident.
create table seasons (
    space  integer not null references spaces (no) on delete cascade,
    topic  text not null,
    row    integer not null references nodes (row) on delete cascade,
    year   integer not null,
    first  integer not null,
    last   integer not null,
    chance real not null,
    primary key (space, topic, row)
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

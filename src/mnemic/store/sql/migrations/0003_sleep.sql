-- 0003: what the nightly run keeps beside the memories.

-- Rows whose content and search text stand compressed in the side file (NAME.cold).
create table cold (
    row    integer primary key references nodes (row) on delete cascade,
    digest integer not null,               -- of both texts, so that a side file of another time is not taken for ours
    asks   integer not null                -- whether the content ends with a question mark
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

-- The side file NAME.cold: texts of cold memories, compressed. Truth, like the main file.

-- `row` is that of nodes in the main file. `data` is a zstd frame of: length of the content in bytes (4 bytes,
-- big-endian), content, search text. `left_at`: since when the main file no longer points here (the text was thawed).
create table texts (
    row        integer primary key,
    dictionary integer not null,           -- 0: none
    data       blob not null,
    left_at    integer
) strict;
create index texts_dictionary on texts (dictionary);
create index texts_left on texts (left_at) where left_at is not null;

-- What frames were compressed with, by generation. A dictionary holds pieces of the texts that it was made from (`rows`,
-- int64): when one of them is erased, the dictionary goes.
create table dictionaries (
    no      integer primary key autoincrement,
    data    blob not null,
    rows    blob not null,
    texts   integer not null,              -- how many were cold when it was made
    made_at integer not null
) strict;

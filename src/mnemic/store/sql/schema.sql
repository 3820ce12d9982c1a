-- The schema as it is today. A test proves that running all migrations gives the same.
-- Times: microseconds since 1970-01-01 UTC. Row numbers: space.no << 40 | n, so that a space is one range of rows.

-- Settings that belong to the file, not to the program.
create table meta (
    key   text primary key,
    value text not null
) strict, without rowid;

-- Isolation boundary. `seq` counts rows ever made in it, `nodes` those that are there (status must not count them);
-- `epoch` changes when existing rows change.
create table spaces (
    no    integer primary key,
    name  text not null unique,
    seq   integer not null default 0,
    epoch integer not null default 0,
    nodes integer not null default 0
) strict;

-- One conversation. `watermark` is the row up to which it has been consolidated.
create table sessions (
    no           integer primary key,
    space        integer not null references spaces (no),
    key          text not null,
    channel      text not null default '',
    project      text,
    started_at   integer not null,
    last_at      integer not null,
    messages     integer not null default 0,
    last_row     integer,
    completed_at integer,
    watermark    integer not null default 0,
    unique (space, key)
) strict;
create index sessions_open on sessions (space, channel, last_at) where completed_at is null;

-- An imported file and how far it has been read.
create table sources (
    no          integer primary key,
    space       integer not null references spaces (no),
    path        text not null,
    format      text not null,
    mtime_ns    integer not null,
    size        integer not null,
    offset      integer not null default 0,
    head_hash   text not null,
    options     text not null default '',
    imported_at integer not null,
    unique (space, path)
) strict;

-- The memory atoms. Episodes are immutable; everything else can be derived from them again.
create table nodes (
    row           integer primary key,
    id            text not null unique,
    kind          text not null check (kind in ('episodic', 'semantic', 'procedural', 'opinion')),
    label         text not null,
    content       text not null,
    key           text,
    body_hash     blob,                    -- of the text as given, to tell a repeat from a conflict
    session       integer references sessions (no),
    source        integer references sources (no),
    role          text,
    speaker       text,
    origin        text not null,
    trust         real not null,
    event_time    integer not null,
    valid_from    integer,
    valid_until   integer,
    recorded_at   integer not null,
    closed_at     integer,
    hidden_at     integer,
    hidden_why    text,
    confidence    real not null default 1.0,
    importance    real not null default 1.0,
    valence       real not null default 0.0,
    stability     real,
    shape         real not null default 0.8,
    access_count  integer not null default 0,
    last_accessed integer,
    subject       text,
    predicate     text,
    object        text,
    attributes    text,                    -- JSON object
    made_by       text,
    words         integer not null default 0   -- search terms without stop words: the length BM25 wants
) strict;
create index nodes_session on nodes (session, event_time, row) where session is not null;
create index nodes_source on nodes (source) where source is not null;
create index nodes_changed on nodes (row) where hidden_at is not null or valid_until is not null;

create table tags (
    tag text not null,
    row integer not null references nodes (row) on delete cascade,
    primary key (tag, row)
) strict, without rowid;
create index tags_row on tags (row);

-- Typed links. Mentions of entities stand in their own table, once.
create table edges (
    source      integer not null references nodes (row) on delete cascade,
    relation    text not null check (relation in ('temporal', 'causal', 'derived_from', 'supersedes', 'contradicts',
                                                  'supports', 'references', 'context', 'response_to', 'similar')),
    target      integer not null references nodes (row) on delete cascade,
    predicate   text,
    weight      real not null default 1.0,
    confidence  real not null default 1.0,
    recorded_at integer not null,
    valid_from  integer,
    valid_until integer,
    closed_at   integer,
    hidden_at   integer,
    hidden_why  text,
    evidence    text,                      -- JSON: what in the target it was read from (derived_from: quotes)
    primary key (source, relation, target)
) strict, without rowid;
create index edges_target on edges (target, relation, source);  -- whole: the foreign key of a deleted node asks it too

create table entities (
    no         integer primary key,
    id         text not null unique,
    space      integer not null references spaces (no),
    type       text not null,
    name       text not null,
    profile    text,                       -- JSON
    mentions   integer not null default 0,
    first_seen integer,
    last_seen  integer
) strict;
create table entity_aliases (
    space  integer not null,
    alias  text not null,                  -- normalised: case-folded, accents folded
    type   text not null,
    entity integer not null references entities (no) on delete cascade,
    primary key (space, alias, type)
) strict, without rowid;
create index entity_aliases_entity on entity_aliases (entity);
create table mentions (
    entity integer not null references entities (no) on delete cascade,
    row    integer not null references nodes (row) on delete cascade,
    primary key (entity, row)
) strict, without rowid;
create index mentions_row on mentions (row);

-- Derived: the slot of each fact (nodes hold it as text, entities may be merged). `object` is folded.
create table facts (
    row       integer primary key references nodes (row) on delete cascade,
    entity    integer not null references entities (no),
    predicate text not null,
    scope     text not null default '',
    object    text not null
) strict;
create index facts_slot on facts (entity, predicate, scope);

-- Derived: the keyword index. `terms` is the normalised copy that the full-text index is built from.
create table terms (
    row   integer primary key references nodes (row) on delete cascade,
    terms text not null
) strict;
create virtual table search using fts5 (
    terms, content = 'terms', content_rowid = 'row', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co S* P* M*'"
);
create virtual table search_terms using fts5vocab (search, 'instance');

-- Derived: columns of the rows in chunks, so that a big space can be opened without reading its rows.
create table column_chunks (
    chunk integer primary key,             -- row >> 12
    data  blob not null
) strict;

-- Derived: vectors. One generation for each model name; vectors of two generations are never compared.
create table generations (
    no        integer primary key,
    name      text not null unique,
    dimension integer not null,
    made_at   integer not null
) strict;
create table vectors (
    generation integer not null references generations (no) on delete cascade,
    row        integer not null,           -- of nodes
    part       integer not null,           -- a long text has several
    data       blob not null,              -- float16, unit length
    primary key (generation, row, part)
) strict, without rowid;
create table vector_chunks (
    no         integer primary key,
    generation integer not null references generations (no) on delete cascade,
    space      integer not null,
    rows       blob not null,              -- int64
    data       blob not null               -- float16, rows × dimension
) strict;
create index vector_chunks_space on vector_chunks (generation, space);
create table embed_failures (
    generation integer not null references generations (no) on delete cascade,
    row        integer not null,
    attempts   integer not null,
    retry_at   integer,                    -- null: given up, see reason
    reason     text not null,
    primary key (generation, row)
) strict, without rowid;
-- How far each space has been embedded: every row up to here has a vector, a failure or nothing to embed.
create table embedded (
    generation integer not null references generations (no) on delete cascade,
    space      integer not null references spaces (no),
    upto       integer not null,
    primary key (generation, space)
) strict, without rowid;

-- Derived: the words of a space and their vectors, so that a query word finds its relatives ("flat" – "apartment",
-- and across languages). Filled beside the vectors of the rows.
create table words (
    no      integer primary key autoincrement,  -- never used again, so that a reader can ask for what is newer
    space   integer not null references spaces (no),
    term    text not null,                 -- as in the keyword index
    surface text not null,                 -- as it was written, for the embedder
    unique (space, term)
) strict;
create table word_vectors (
    no         integer primary key autoincrement,
    generation integer not null references generations (no) on delete cascade,
    term       text not null,
    data       blob not null,              -- float16, unit length
    unique (generation, term)
) strict;

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

-- Resumable work, and who may do maintenance.
create table jobs (
    id         text primary key,
    kind       text not null,
    state      text not null,
    payload    text,
    result     text,
    attempts   integer not null default 0,
    updated_at integer not null
) strict, without rowid;
create table leases (
    name       text primary key,
    holder     text not null,
    expires_at integer not null
) strict, without rowid;

-- Append-only: who changed what belief, when, why.
create table changes (
    no     integer primary key,
    space  integer not null,
    at     integer not null,
    actor  text not null,
    act    text not null,
    row    integer,
    before text,
    after  text,
    why    text
) strict;
create index changes_row on changes (row) where row is not null;

-- What was erased must not come back: hashes only, no content.
create table tombstones (
    space integer not null,
    hash  blob not null,
    at    integer not null,
    primary key (space, hash)
) strict, without rowid;

-- Deleted words leave the keyword index at once, not at the next merge.
insert into search (search, rank) values ('secure-delete', 1);
-- A batch of an import becomes one piece of the index, not several that have to be merged: a fifth of the writing.
insert into search (search, rank) values ('hashsize', 8388608);

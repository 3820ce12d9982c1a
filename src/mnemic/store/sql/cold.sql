-- Statements of the cold tier. Those on texts and dictionaries run on the side file, the others on the main file.

-- name: texts
select t.row, t.dictionary, t.data from json_each(?) j cross join texts t on t.row = j.value;

-- name: dictionary
select data from dictionaries where no = ?;

-- name: newest_dictionary
select no, data, texts from dictionaries order by no desc limit 1;

-- name: dictionaries
select no, rows from dictionaries order by no;

-- name: new_dictionary
insert into dictionaries (data, rows, texts, made_at) values (?, ?, ?, ?) returning no;

-- name: drop_dictionary
-- Once no text needs it.
delete from dictionaries where no = ?1 and not exists (select 1 from texts where dictionary = ?1);

-- name: put_text
insert into texts (row, dictionary, data) values (?, ?, ?)
on conflict do update set dictionary = excluded.dictionary, data = excluded.data, left_at = null;

-- name: repack
update texts set dictionary = ?, data = ? where row = ? and dictionary = ?;

-- name: texts_with
select row, data from texts where dictionary = ? and row > ? order by row limit ?;

-- name: drop_texts
delete from texts where row in (select value from json_each(?));

-- name: texts_page
select row, left_at from texts where row > ? order by row limit ?;

-- name: set_left
update texts set left_at = ?2 where row in (select value from json_each(?1));

-- name: drop_left
-- Only those that nobody has written again meanwhile.
delete from texts where row in (select value from json_each(?1)) and left_at < ?2;

-- name: count_texts
select count(*) from texts;

-- name: digest
select digest from cold where row = ?;

-- name: any_cold
select exists (select 1 from cold);

-- name: count_cold
select count(*) from cold where row between ? and ?;

-- name: cold_among
select c.row from json_each(?) j cross join cold c on c.row = j.value;

-- name: to_freeze
-- Hot episodes of a space that happened, and were last used, before a moment, with the size of their content.
select n.row, octet_length(n.content) from nodes n
where n.row between ?1 and ?2 and n.kind = 'episodic' and max(n.event_time, coalesce(n.last_accessed, 0)) < ?3
and not exists (select 1 from cold c where c.row = n.row) order by n.row;

-- name: hot_texts
select n.row, n.content, t.terms from json_each(?) j cross join nodes n on n.row = j.value join terms t on t.row = n.row
where n.kind = 'episodic' and not exists (select 1 from cold c where c.row = n.row);

-- name: ready
select cold_ready(json_group_array(json_array(c.row, c.digest))) from json_each(?) j cross join cold c on c.row = j.value;

-- name: literal
select c.row from json_each(?1) j cross join cold c on c.row = j.value where instr(cold_text(c.row, c.digest), ?2) > 0;

-- name: cold_in
select row from cold where row between ? and ?;

-- name: cold_all
select row from cold order by row;

-- name: cold_rows
select row from cold where row > ? order by row limit ?;

-- name: cold_texts
select c.row, cold_text(c.row, c.digest), cold_terms(c.row, c.digest)
from json_each(?) j cross join cold c on c.row = j.value;

-- name: put_cold
insert into cold (row, digest, asks) select n.row, ?2,
       substr(rtrim(n.content, ' ' || char(10, 13, 9) || '")»”'), -1) = '?'
from nodes n where n.row = ?1;

-- name: set_content
update nodes set content = ?2 where row = ?1;

-- name: set_terms
update terms set terms = ?2 where row = ?1;

-- name: drop_cold
delete from cold where row in (select value from json_each(?));

-- name: check_index
-- The keyword index by itself, without the texts that it was made from.
insert into search (search, rank) values ('integrity-check', 0);

-- name: due_forget
select id, payload from jobs where kind = 'cold';

-- name: pages
select (select page_count from pragma_page_count()), (select freelist_count from pragma_freelist_count()),
       (select page_size from pragma_page_size());

-- name: vacuum
vacuum;

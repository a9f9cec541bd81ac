-- How a file was read: what was guessed or left out, and what somebody chose instead.
alter table imports add column reading jsonb;

-- The file itself, as long as its rows: another choice reads it again. Apart, so that no list of imports reads it.
create table import_files (
  import_id uuid primary key references imports (id) on delete cascade,
  bytes bytea not null
);
-- Workbooks are packed already.
alter table import_files alter column bytes set storage external;

-- An update by student ID compares numbers as lists do: without dashes, spaces and leading zeros.
create index students_number_key on students (ltrim(regexp_replace(upper(student_id), '[^A-Z0-9]', '', 'g'), '0'));

-- Import of students from a spreadsheet. The file's rows are kept here while somebody works on them, so that any
-- process can go on with them and a second browser shows the same.
create table imports (
  id uuid primary key,
  file_name text not null,
  created_at timestamptz not null,
  -- The administrator's e-mail address of that time.
  created_by text not null,
  state text not null check (state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'undone')),
  row_count integer not null,
  headers text[] not null,
  guessed_date_order text not null,
  -- Chosen columns, values for all rows and the order of dates; null until then.
  mapping jsonb,
  -- Courses and academic years that records held when the check began: they are allowed beside those on offer.
  held jsonb,
  -- When somebody confirmed that these students agreed on paper.
  consented_at timestamptz,

  -- The work under way. Who holds the token works; whoever finds the time over may take the work up.
  work_token uuid,
  work_until timestamptz,
  -- The last row that is done, and how many are.
  work_row integer not null default 0,
  progress integer not null default 0,
  -- Who ordered the work, for the audit trail.
  actor jsonb,
  failure text,

  ready_count integer not null default 0,
  problem_count integer not null default 0,
  duplicate_count integer not null default 0,
  skipped_count integer not null default 0,
  imported_count integer not null default 0,
  imported_at timestamptz,
  undone_at timestamptz,
  -- When the rows, which are personal data, were deleted; the figures stay.
  rows_deleted_at timestamptz
);
create index imports_created on imports (created_at desc, id desc);
-- Work to take up after a restart: hardly ever more than one row.
create index imports_working on imports (id) where state in ('checking', 'importing');

create table import_rows (
  import_id uuid not null references imports (id) on delete cascade,
  -- As the spreadsheet program counts.
  number integer not null,
  -- The file's own texts, by column.
  cells jsonb not null,
  -- What somebody corrected, by field; stands over the cells.
  edits jsonb not null default '{}',
  -- What would be imported: the texts of the fields as the form would have them.
  fields jsonb not null default '{}',
  registration_date timestamptz,
  problems jsonb not null default '[]',
  matches jsonb not null default '[]',
  -- 'skip', or 'take' in spite of a match.
  decision text check (decision in ('skip', 'take')),
  state text not null default 'unchecked'
    check (state in ('unchecked', 'ready', 'problem', 'duplicate', 'skipped')),

  -- What tells the same person within an academic year, exactly as the records have it (0008), so that rows and
  -- records can be compared. A row with problems has none: its date may be no date.
  name_key bigint generated always as (
    case when problems = '[]' and fields ? 'dateOfBirth' then hashtextextended(
      lower(normalize(
        regexp_replace((fields ->> 'lastName') || E'\x1f' || (fields ->> 'firstName'), '\s+', ' ', 'g'), NFC))
        || E'\x1f' || (make_date(
          substr(fields ->> 'dateOfBirth', 1, 4)::int,
          substr(fields ->> 'dateOfBirth', 6, 2)::int,
          substr(fields ->> 'dateOfBirth', 9, 2)::int) - date '2000-01-01')::text
        || E'\x1f' || (fields ->> 'academicYear'),
      0) end
  ) stored,
  email_key bigint generated always as (
    case when problems = '[]' and fields ? 'email' then
      hashtextextended(lower(fields ->> 'email') || E'\x1f' || (fields ->> 'academicYear'), 0) end
  ) stored,
  student_id_key bigint generated always as (
    case when problems = '[]' and fields ->> 'studentId' ~ '\d' then
      hashtextextended(lower(btrim(fields ->> 'studentId')) || E'\x1f' || (fields ->> 'academicYear'), 0) end
  ) stored,

  primary key (import_id, number)
);
create index import_rows_state on import_rows (import_id, state, number);

-- The records that an import made. Partial, so that a registration, which has none, pays nothing for it.
alter table students add column import_id uuid references imports (id);
create index students_import on students (import_id) where import_id is not null;

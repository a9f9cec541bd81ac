-- Students, pairs of records that are different people, imports from spreadsheets.

-- An import adds records or updates existing ones. Its rows are stored while an administrator works on them, so that
-- any process can continue and a second browser shows the same.
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
  -- Columns, values for all rows, and date order, once they are chosen.
  mapping jsonb,
  -- The field by which rows name the records that they update; null when the import adds records.
  update_by text check (update_by in ('reference', 'studentId')),
  -- Courses and academic years that records had when the check began: allowed besides those on offer.
  held jsonb,
  -- When the administrator confirmed that these students agreed on paper.
  consented_at timestamptz,

  -- The background work. The process with the token works; after work_until another one may take over.
  work_token uuid,
  work_until timestamptz,
  -- The last finished row, and the number of finished rows.
  work_row integer not null default 0,
  progress integer not null default 0,
  -- Who started the work, for the audit trail.
  actor jsonb,
  failure text,

  ready_count integer not null default 0,
  -- Rows that change nothing in their record.
  unchanged_count integer not null default 0,
  problem_count integer not null default 0,
  duplicate_count integer not null default 0,
  skipped_count integer not null default 0,
  imported_count integer not null default 0,
  imported_at timestamptz,
  undone_at timestamptz,
  -- When the rows, which are personal data, were deleted; the figures stay.
  rows_deleted_at timestamptz
);
-- The history of imports, newest first.
create index imports_created on imports (created_at desc, id desc);
-- Work to continue after a restart: rarely more than one row.
create index imports_working on imports (id) where state in ('checking', 'importing');

create table students (
  id uuid primary key,
  -- The number on the student's receipt. Random: it reveals nothing and can't be guessed.
  reference text not null unique,
  registration_date timestamptz not null default now(),
  status text not null default 'Registered',
  archived boolean not null default false,
  archived_date timestamptz,
  version integer not null default 1,
  consent_version text not null,
  consented_at timestamptz not null,

  last_name text not null,
  first_name text not null,
  middle_name text not null default '',
  address text not null,
  municipal_city text not null default '',
  zip_code text not null default '',
  social_security_number text not null default '',
  date_of_birth date not null,
  place_of_birth text not null,
  sex text not null,
  civil_status text not null,
  contact_number text not null,
  email text not null,
  citizenship text not null,
  religion text not null default '',
  height text not null default '',
  weight text not null default '',
  blood_type text not null default '',
  student_id text not null default '',
  course text not null,
  year_level smallint not null check (year_level between 1 and 5),
  academic_year text not null,
  serial_number text not null default '',
  father_name text not null default '',
  father_occupation text not null default '',
  mother_name text not null default '',
  mother_occupation text not null default '',
  guardian_name text not null default '',
  guardian_relationship text not null default '',
  guardian_address text not null default '',
  guardian_contact_number text not null default '',
  elementary_school text not null default '',
  elementary_year_graduated text not null default '',
  high_school text not null default '',
  high_school_year_graduated text not null default '',
  college text not null default '',
  college_year_graduated text not null default '',
  work_experience text not null default '',
  skills text not null default '',
  hobbies text not null default '',
  emergency_contact_name text not null,
  emergency_contact_number text not null,
  emergency_contact_address text not null default '',
  nstp_component text not null,

  -- Identifies one submission of the form, so that a retry makes no second record. In this table, because a second one
  -- with its indexes and foreign key would add 0.1 ms to each registration.
  submission_key text,
  -- Tells a retry from another registration with the same key.
  submission_hash text,
  -- The import that made the record.
  import_id uuid references imports (id),

  -- Alphabetical order: case and accents count after the letters, and ñ comes after n. NFD puts the tilde behind the
  -- n; a line break sorts before any letter, so "Cruz" comes before "Cruz Santos". Only the first 40 characters of each
  -- name count, which fits into an index row in any script.
  sort_name text not null generated always as (
    lower(normalize(left(last_name, 40) || E'\n' || left(first_name, 40) || E'\n' || left(middle_name, 40), NFD))
  ) stored,

  -- Two records of one academic year may be the same person when they have the same name and birth date, e-mail
  -- address or student number. 64-bit hashes make index entries of 16 bytes. Case and extra spaces don't matter; a
  -- student number without a digit ("none", "N/A") identifies nobody.
  name_key bigint not null generated always as (
    hashtextextended(
      lower(normalize(regexp_replace(last_name || E'\x1f' || first_name, '\s+', ' ', 'g'), NFC))
        || E'\x1f' || (date_of_birth - date '2000-01-01')::text || E'\x1f' || academic_year,
      0)
  ) stored,
  email_key bigint generated always as (
    case when email <> '' then hashtextextended(lower(email) || E'\x1f' || academic_year, 0) end
  ) stored,
  student_id_key bigint generated always as (
    case when student_id ~ '\d'
      then hashtextextended(lower(btrim(student_id)) || E'\x1f' || academic_year, 0) end
  ) stored,

  check (archived = (archived_date is not null))
);
-- The usual orders of the list, with the columns that it is filtered by: of 100,000 records, counting the matches reads
-- 10 MB of index in 20 ms instead of the whole table in 150. Ascending, because new records then fill the last page of
-- the index; it reads as fast backwards.
create index students_registration on students (registration_date, id)
  include (archived, nstp_component, academic_year);
create index students_name on students (sort_name, id)
  include (archived, nstp_component, academic_year, registration_date);
-- The archived list and retention. Registrations, which are never archived, don't touch it.
create index students_archived on students (archived_date, id)
  include (archived, nstp_component, academic_year, registration_date)
  where archived;
-- Possible duplicates of a record, and records that the rows of an import match.
create index students_name_key on students (name_key);
create index students_email_key on students (email_key) where email_key is not null;
create index students_student_id_key on students (student_id_key) where student_id_key is not null;
-- A retried registration.
create unique index students_submission_key on students (submission_key) where submission_key is not null;
-- Undoing an import. Partial, so that a registration has no entry.
create index students_import on students (import_id) where import_id is not null;

-- Pairs that the coordinator marked as different people.
create table different_students (
  first_id uuid not null references students (id) on delete cascade,
  second_id uuid not null references students (id) on delete cascade,
  noted_at timestamptz not null default now(),
  primary key (first_id, second_id),
  check (first_id < second_id)
);
-- Deletion of a record with its pairs.
create index different_students_second on different_students (second_id);

create table import_rows (
  import_id uuid not null references imports (id) on delete cascade,
  -- As the spreadsheet program counts.
  number integer not null,
  -- The file's texts, by column.
  cells jsonb not null,
  -- Corrections on the screen, by field; they replace the cells.
  edits jsonb not null default '{}',
  -- What is imported: the texts of the fields as the form would have them.
  fields jsonb not null default '{}',
  registration_date timestamptz,
  -- Null unless the student is archived.
  archived_date timestamptz,
  problems jsonb not null default '[]',
  matches jsonb not null default '[]',
  -- The record that an update row names, and its version when the row was checked. No foreign key: it would search all
  -- rows when a record is deleted. A row without its record is reported.
  record_id uuid,
  record_version integer,
  -- The changes of an update row, a list of { path, before, after }; null when the import adds records.
  changes jsonb,
  -- 'take' imports a row in spite of a match.
  decision text check (decision in ('skip', 'take')),
  state text not null default 'unchecked'
    check (state in ('unchecked', 'ready', 'unchanged', 'problem', 'duplicate', 'skipped')),

  -- The same keys as in `students`, to compare rows with records. Null with problems: the date may be no date.
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
-- The rows of one state, and the counts by state.
create index import_rows_state on import_rows (import_id, state, number);
-- The rows of deleted records, for the trigger below.
create index import_rows_record on import_rows (record_id) where record_id is not null;

-- Update rows hold values of their record, which must go when it is deleted, in whatever way.
create function clear_rows_of_deleted_students() returns trigger language plpgsql as $$
begin
  update import_rows set changes = '[]', fields = '{}'
  from deleted where import_rows.record_id = deleted.id;
  return null;
end
$$;

create trigger students_clear_import_rows after delete on students
  referencing old table as deleted
  for each statement execute function clear_rows_of_deleted_students();

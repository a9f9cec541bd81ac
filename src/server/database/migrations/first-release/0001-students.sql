-- Trigrams serve the substring search of spec §5. On a server where the extension is already there, or may
-- not be created by this user, the statement succeeds only in the first case.
create extension if not exists pg_trgm;

create table students (
  id uuid primary key,
  -- What the student keeps and quotes; random, so it tells nothing and can't be guessed.
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

  -- Search looks at last name, first name and course (spec §5). The line breaks keep a term from matching
  -- across two of them; NFC makes ñ typed as n + tilde findable.
  search_text text not null generated always as (
    lower(normalize(last_name || E'\n' || first_name || E'\n' || course, NFC))
  ) stored,

  -- The order of names as people expect it: case and accents come after the letters, and ñ after n. NFD puts
  -- the tilde behind the n; a line break is less than any letter, so "Cruz" comes before "Cruz Santos". Only
  -- the first 40 characters of each name count, which keeps the index below its limit for any script.
  sort_name text not null generated always as (
    lower(normalize(left(last_name, 40) || E'\n' || left(first_name, 40) || E'\n' || left(middle_name, 40), NFD))
  ) stored,

  check (archived = (archived_date is not null))
);

-- The list's two usual orders. Each index also holds what the list filters by: with 100,000 records, to count
-- the matches or to look for a rare term reads 10 MB of index in about 20 ms instead of the whole table in 150.
create index students_registration on students (registration_date desc, id desc)
  include (archived, nstp_component, academic_year, search_text);
create index students_name on students (sort_name, id)
  include (archived, nstp_component, academic_year, registration_date, search_text);
-- Terms of three letters and more (spec §5).
create index students_search on students using gin (search_text gin_trgm_ops);

-- One row for each registration that was sent with a key, so that a retry makes no second record.
create table idempotency_keys (
  key text primary key,
  -- Tells a retry from another registration under the same key.
  request_hash text not null,
  student_id uuid not null references students (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index idempotency_keys_created on idempotency_keys (created_at);
create index idempotency_keys_student on idempotency_keys (student_id);

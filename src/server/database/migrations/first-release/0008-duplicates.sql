-- What tells that two records of one academic year may be the same person: name and birth date, e-mail address,
-- or student number. Each is a hash of 64 bits, so that an index entry takes 16 bytes whatever was typed, and a
-- page of the list can look its records up. Case and extra spaces don't matter. A student number without a digit
-- ("none", "N/A") says nothing.
alter table students
  add column name_key bigint not null generated always as (
    hashtextextended(
      lower(normalize(regexp_replace(last_name || E'\x1f' || first_name, '\s+', ' ', 'g'), NFC))
        || E'\x1f' || (date_of_birth - date '2000-01-01')::text || E'\x1f' || academic_year,
      0)
  ) stored,
  add column email_key bigint generated always as (
    case when email <> '' then hashtextextended(lower(email) || E'\x1f' || academic_year, 0) end
  ) stored,
  add column student_id_key bigint generated always as (
    case when student_id ~ '\d'
      then hashtextextended(lower(btrim(student_id)) || E'\x1f' || academic_year, 0) end
  ) stored;

create index students_name_key on students (name_key);
create index students_email_key on students (email_key) where email_key is not null;
create index students_student_id_key on students (student_id_key) where student_id_key is not null;

-- Pairs of which the coordinator said that they are different people.
create table different_students (
  first_id uuid not null references students (id) on delete cascade,
  second_id uuid not null references students (id) on delete cascade,
  noted_at timestamptz not null default now(),
  primary key (first_id, second_id),
  check (first_id < second_id)
);
create index different_students_second on different_students (second_id);

-- When each administrator last opened the students list; what came after is what the bell counts.
alter table admins add column students_seen_at timestamptz not null default now();

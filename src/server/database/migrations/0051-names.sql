-- "Dela Rosa, Ma. Luz" and "De la Rosa, Maria Luz" are one name. The same as `nameKey` of
-- src/shared/students/person-names.ts, step by step.

create function spelled_out(text) returns text language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(regexp_replace(
    $1, '\yma\y', 'maria', 'gi'), '\ysta\y', 'santa', 'gi'), '\ysto\y', 'santo', 'gi');

-- It names no function of ours, so that a dump restores, with an empty search path.
create function person_name_part(name text) returns text language plpgsql immutable strict parallel safe as $$
declare
  words text;
  part text;
begin
  -- Small letters without accents, and digits. The collation "C" changes the letters of ASCII alone.
  words := lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036f''’‘ʼ´`]', '', 'g') collate "C");
  words := btrim(regexp_replace(replace(words, 'ª', 'a'), '[^a-z0-9]+', ' ', 'g'));
  if words in ('n a', 'none', 'nil', 'null', 'wala', 'not applicable') then
    return '';
  end if;
  words := regexp_replace(words, '\y2nd\y', 'ii', 'g');
  words := regexp_replace(words, '\y3rd\y', 'iii', 'g');
  words := regexp_replace(words, '\y4th\y', 'iv', 'g');
  words := regexp_replace(words, '\yma\y', 'maria', 'g');
  words := regexp_replace(words, '\ysta\y', 'santa', 'g');
  words := regexp_replace(words, '\ysto\y', 'santo', 'g');
  -- Without initials and extensions, unless there is nothing else.
  part := replace(regexp_replace(words, '\y([a-z]|jr|junior|sr|senior|ii|iii|iv)\y', '', 'g'), ' ', '');
  if part = '' then
    part := replace(words, ' ', '');
  end if;
  if part = '' then
    -- The letters of another script.
    part := regexp_replace(
      normalize(name, NFC), '[\t\n\r\u0020-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]', '', 'g');
  end if;
  return part;
end
$$;

-- Of the parts of a last and a first name, in either order; one part alone for people with one name.
create function person_name_key(family text, given text) returns text
  language plpgsql immutable strict parallel safe as $$
begin
  if family = given or family = '' or given = '' then
    return greatest(family collate "C", given collate "C");
  end if;
  return least(family collate "C", given collate "C") || ' ' || greatest(family collate "C", given collate "C");
end
$$;

-- The keys of migration 0002, with these names; and a student number is one with or without dashes and leading zeros.
drop index students_name_key;
drop index students_student_id_key;
alter table students drop column name_key, drop column student_id_key;
alter table students
  add column name_key bigint not null generated always as (
    hashtextextended(
      person_name_key(person_name_part(last_name), person_name_part(first_name))
        || E'\x1f' || (date_of_birth - date '2000-01-01')::text || E'\x1f' || academic_year,
      0)
  ) stored,
  add column student_id_key bigint generated always as (
    case when student_id ~ '\d' then hashtextextended(
      ltrim(regexp_replace(upper(student_id), '[^A-Z0-9]', '', 'g'), '0') || E'\x1f' || academic_year, 0) end
  ) stored;
create index students_name_key on students (name_key);
create index students_student_id_key on students (student_id_key) where student_id_key is not null;

alter table import_rows drop column name_key, drop column student_id_key;
alter table import_rows
  add column name_key bigint generated always as (
    case when problems = '[]' and fields ? 'dateOfBirth' then hashtextextended(
      person_name_key(person_name_part(fields ->> 'lastName'), person_name_part(fields ->> 'firstName'))
        || E'\x1f' || (make_date(
          substr(fields ->> 'dateOfBirth', 1, 4)::int,
          substr(fields ->> 'dateOfBirth', 6, 2)::int,
          substr(fields ->> 'dateOfBirth', 9, 2)::int) - date '2000-01-01')::text
        || E'\x1f' || (fields ->> 'academicYear'),
      0) end
  ) stored,
  add column student_id_key bigint generated always as (
    case when problems = '[]' and fields ->> 'studentId' ~ '\d' then hashtextextended(
      ltrim(regexp_replace(upper(fields ->> 'studentId'), '[^A-Z0-9]', '', 'g'), '0')
        || E'\x1f' || (fields ->> 'academicYear'), 0) end
  ) stored;

-- A search for "Maria" finds "Ma.", and one for "Jr" finds the extension name. The address stays the last line.
create or replace function searched(students) returns student_search language sql immutable
  return row(
    $1.id, $1.registration_date, $1.archived, $1.archived_date, $1.nstp_component, $1.academic_year, $1.sort_name,
    searchable(
      $1.course || E'\n' || $1.last_name || E'\n' || $1.first_name || E'\n' || $1.middle_name
        || case when $1.last_name || ' ' || $1.first_name ~* '\y(ma|sta|sto)\y'
          then E'\n' || spelled_out($1.last_name) || E'\n' || spelled_out($1.first_name) else '' end
        || case when $1.extension_name = '' then '' else E'\n' || $1.extension_name
          || case when $1.extension_name ~* '^(jr|junior)\M' then E'\nJr Junior'
            when $1.extension_name ~* '^(sr|senior)\M' then E'\nSr Senior' else '' end end
        || E'\n' || substr($1.reference, 6) || E'\n' || $1.student_id || E'\n' || split_part($1.email, '@', 1)
    ),
    searchable(
      $1.email || regexp_replace(
        E'\n' || $1.contact_number || E'\n' || $1.emergency_contact_number || E'\n' || $1.guardian_contact_number,
        '\n[^0-9\n]*(00)?[^0-9\n]*63[^0-9\n]*0?(?=([^0-9\n]*[0-9]){8})', E'\n0', 'g')
    )
  )::student_search;

-- As in migration 0042, with the extension name among what a change is looked for in.
create or replace function keep_student_search() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    truncate student_search;
    return null;
  elsif tg_op = 'DELETE' then
    delete from student_search where id = any(array(select id from removed));
    return null;
  elsif tg_op = 'UPDATE' then
    perform from (
      select id, registration_date, archived, archived_date, nstp_component, academic_year, sort_name, course,
        last_name, first_name, middle_name, reference, student_id, email, contact_number, emergency_contact_number,
        guardian_contact_number, extension_name
      from added
      except
      select id, registration_date, archived, archived_date, nstp_component, academic_year, sort_name, course,
        last_name, first_name, middle_name, reference, student_id, email, contact_number, emergency_contact_number,
        guardian_contact_number, extension_name
      from removed
    ) changed limit 1;
    if not found then
      return null;
    end if;
  end if;
  insert into student_search as existing select line.* from added, searched(added) line
  on conflict (id) do update set
    registration_date = excluded.registration_date, archived = excluded.archived,
    archived_date = excluded.archived_date, nstp_component = excluded.nstp_component,
    academic_year = excluded.academic_year, sort_name = excluded.sort_name, search_text = excluded.search_text,
    search_codes = excluded.search_codes
  where existing is distinct from excluded;
  return null;
end
$$;

update student_search set search_text = (searched(students)).search_text
from students
where students.id = student_search.id and (
  students.extension_name <> '' or students.last_name || ' ' || students.first_name ~* '\y(ma|sta|sto)\y');

-- How many students there are, by everything that the lists and the statistics narrow and group them by: kept
-- with each change, so that no look counts the records again. All of it is derived from `students` and can be
-- built anew at any time.

-- What changed since it was last added to the counts. Each change of students appends rows here and touches no
-- row that anybody else touches: registrations never queue for a counter. Never updated, no key, no index.
create table student_count_changes (
  -- 1 for a record that came, -1 for one that went; a changed record goes as it was and comes as it is.
  n smallint not null,
  registration_date timestamptz not null,
  nstp_component text not null,
  archived boolean not null,
  academic_year text not null,
  sex text not null,
  course text not null,
  year_level smallint not null,
  sort_name text not null
-- Giving space back to the system would take a lock that registrations wait for.
) with (vacuum_truncate = off);

create table student_counts (
  -- What `bucket` is the first date of: 'day' or 'month' by the calendar of the program; 'all' is all time, and
  -- its bucket -infinity.
  grain text not null check (grain in ('day', 'month', 'all')),
  -- What is counted: 'total' every record, its value ''; 'sex', 'course' and 'yearLevel' the records with the
  -- value; 'name', which days lack, the records whose name lies between the value and the next mark.
  facet text not null check (facet in ('total', 'sex', 'course', 'yearLevel', 'name')),
  bucket date not null,
  value text not null,
  nstp_component text not null,
  archived boolean not null,
  academic_year text not null,
  n integer not null,
  primary key (grain, facet, bucket, value, nstp_component, archived, academic_year)
-- Room on each page for the next version of its rows: adding to a count then touches no index.
) with (fillfactor = 70);

-- Where the order of names is cut into parts of about the same number of records: beginnings of last names, in
-- the spelling of `sort_name`. The first is '', which is before every name.
create table student_name_marks (
  mark text primary key
);

-- One row. Whoever changes the counts changes it first, so they take turns.
create table student_count_state (
  singleton boolean primary key default true check (singleton),
  -- Whose days and months the counts are by; '' until they are first built.
  time_zone text not null,
  -- The number of students when they were last built.
  built_for integer not null,
  -- How often they were built or added to.
  turns bigint not null
);
insert into student_count_state (time_zone, built_for, turns) values ('', 0, 0);

-- By statement and not by row: the same for one registration, a seventh for an import of thousands.
create function note_students_added() returns trigger language plpgsql as $$
begin
  insert into student_count_changes
  select 1, registration_date, nstp_component, archived, academic_year, sex, course, year_level, sort_name
  from added;
  return null;
end
$$;

create function note_students_removed() returns trigger language plpgsql as $$
begin
  insert into student_count_changes
  select -1, registration_date, nstp_component, archived, academic_year, sex, course, year_level, sort_name
  from removed;
  return null;
end
$$;

-- Only what differs, as sets: whatever doesn't touch a counted column leaves nothing here. Not by pairing the
-- rows of a record: the plan of a join is kept from the first, small change, and 20,000 rows would take minutes.
create function note_students_changed() returns trigger language plpgsql as $$
begin
  insert into student_count_changes
  select -1, gone.* from (
    select registration_date, nstp_component, archived, academic_year, sex, course, year_level, sort_name from removed
    except all
    select registration_date, nstp_component, archived, academic_year, sex, course, year_level, sort_name from added
  ) as gone
  union all
  select 1, came.* from (
    select registration_date, nstp_component, archived, academic_year, sex, course, year_level, sort_name from added
    except all
    select registration_date, nstp_component, archived, academic_year, sex, course, year_level, sort_name from removed
  ) as came;
  return null;
end
$$;

create function forget_student_counts() returns trigger language plpgsql as $$
begin
  truncate student_counts, student_count_changes;
  return null;
end
$$;

create trigger students_added after insert on students
  referencing new table as added for each statement execute function note_students_added();
create trigger students_removed after delete on students
  referencing old table as removed for each statement execute function note_students_removed();
create trigger students_changed after update on students
  referencing old table as removed new table as added for each statement
  execute function note_students_changed();
create trigger students_emptied after truncate on students
  for each statement execute function forget_student_counts();

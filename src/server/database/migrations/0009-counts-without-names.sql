-- Lists by name walk their index: counts by part of the name order are no longer read.

drop table student_name_marks;
delete from student_counts where facet = 'name';
alter table student_counts
  drop constraint student_counts_facet_check,
  add constraint student_counts_facet_check check (facet in ('total', 'sex', 'course', 'yearLevel'));
alter table student_count_changes drop column sort_name;
alter table student_count_state drop column built_for;

create or replace function note_students_added() returns trigger language plpgsql as $$
begin
  insert into student_count_changes
  select 1, registration_date, nstp_component, archived, academic_year, sex, course, year_level
  from added;
  return null;
end
$$;

create or replace function note_students_removed() returns trigger language plpgsql as $$
begin
  insert into student_count_changes
  select -1, registration_date, nstp_component, archived, academic_year, sex, course, year_level
  from removed;
  return null;
end
$$;

create or replace function note_students_changed() returns trigger language plpgsql as $$
begin
  insert into student_count_changes
  select -1, gone.* from (
    select registration_date, nstp_component, archived, academic_year, sex, course, year_level from removed
    except all
    select registration_date, nstp_component, archived, academic_year, sex, course, year_level from added
  ) as gone
  union all
  select 1, came.* from (
    select registration_date, nstp_component, archived, academic_year, sex, course, year_level from added
    except all
    select registration_date, nstp_component, archived, academic_year, sex, course, year_level from removed
  ) as came;
  return null;
end
$$;

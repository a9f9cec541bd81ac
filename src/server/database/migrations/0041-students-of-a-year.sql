-- Who may be placed in a term, in the order of names. Not partial: statements with the same condition would walk it whole.
create index students_year on students (academic_year, sort_name, id) include (nstp_component, archived, restriction);

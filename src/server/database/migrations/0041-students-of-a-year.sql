-- Who may be placed in a term, in the order of names.
create index students_year on students (academic_year, sort_name, id) include (nstp_component)
  where not archived and restriction is null;

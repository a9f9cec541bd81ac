-- Rows of updates hold values of the record that they name. When it is deleted, by whatever way, they are cleared.
create index import_rows_record on import_rows (record_id) where record_id is not null;

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

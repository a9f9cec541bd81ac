-- An import adds records, or updates those that its rows name by this field.
alter table imports
  add column update_by text check (update_by in ('reference', 'studentId')),
  -- Rows that hold what their record holds already.
  add column unchanged_count integer not null default 0;

alter table import_rows
  -- When a row's student was archived; null for one who isn't.
  add column archived_date timestamptz,
  -- The record that an update row names, and its version when the row was checked. No foreign key: a record is
  -- erased without a look through all rows, and the row is reported then.
  add column record_id uuid,
  add column record_version integer,
  -- What an update row changes: a list of { path, before, after }; null in an import that adds records.
  add column changes jsonb,
  drop constraint import_rows_state_check,
  add check (state in ('unchecked', 'ready', 'unchanged', 'problem', 'duplicate', 'skipped'));

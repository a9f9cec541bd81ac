-- A file may also be a list from others that says something of the students of a term.

alter table imports
  add column purpose text not null default 'students' check (purpose in ('students', 'registrar', 'marks')),
  add column term_id uuid references terms (id) on delete cascade,
  add column unmatched_count integer not null default 0,
  add column differs_count integer not null default 0,
  add constraint imports_term check ((term_id is not null) = (purpose <> 'students'));

alter table import_rows
  -- Whom a row of a list means. No foreign key, as for record_id.
  add column enrolment_id uuid,
  add column matched_by text check (matched_by in ('number', 'name and birth date', 'name', 'hand')),
  drop constraint import_rows_state_check,
  -- unmatched: nobody of the term is meant · differs: somebody is, of whom the record says otherwise
  add constraint import_rows_state_check check (state in
    ('unchecked', 'ready', 'unchanged', 'problem', 'duplicate', 'skipped', 'unmatched', 'differs'));

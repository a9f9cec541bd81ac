-- Lists that the office sends to agencies. What was sent never changes.

create index students_serial on students ((upper(regexp_replace(serial_number, '[^A-Za-z0-9]', '', 'g'))))
  where serial_number <> '';

create table papers (
  id uuid primary key,
  layout text not null,
  title text not null,
  academic_year text not null,
  term_id uuid references terms (id) on delete set null,
  components text[] not null check (components <> '{}' and components <@ array['ROTC', 'CWTS', 'LTS']),
  options jsonb not null default '{}',
  state text not null default 'draft' check (state in ('draft', 'frozen', 'sent', 'returned', 'accepted')),
  -- Of the layout, its texts and its counts, as they were when it was frozen.
  definition jsonb,
  counts jsonb,
  digest text,
  due_on date,
  sent_on date,
  sent_how text not null default '',
  agency_reference text not null default '',
  note text not null default '',
  -- The paper that it corrects.
  follows uuid references papers (id) on delete set null,
  created_by_id uuid references admins (id) on delete set null,
  created_at timestamptz not null,
  frozen_by_id uuid references admins (id) on delete set null,
  frozen_at timestamptz,
  version integer not null default 1,
  check ((state = 'draft') = (frozen_at is null)),
  check ((state = 'draft') = (definition is null))
);
create index papers_year on papers (academic_year, created_at);

create table paper_rows (
  paper_id uuid not null references papers (id) on delete cascade,
  -- unlisted: only counted
  list text not null check (list in ('enrolment', 'graduates', 'unlisted')),
  number integer not null,
  student_id uuid,
  cells jsonb not null,
  -- That came back.
  serial text not null default '',
  primary key (paper_id, list, number)
);
create index paper_rows_student on paper_rows (student_id) where student_id is not null;

create table paper_answers (
  paper_id uuid not null references papers (id) on delete cascade,
  code text not null,
  -- The ids of one or two students.
  subject text not null,
  answer text not null check (answer in ('meant', 'left out')),
  reason text not null,
  by_id uuid references admins (id) on delete set null,
  at timestamptz not null,
  primary key (paper_id, code, subject)
);

create function refuse_paper_change() returns trigger language plpgsql as $$
begin
  if new.cells is distinct from old.cells and new.cells <> '["erased"]' then
    raise exception 'a frozen paper is not alterable' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger paper_rows_fixed before update on paper_rows
  for each row execute function refuse_paper_change();

-- A file may also be the serial numbers that came back for a paper.
alter table imports
  add column paper_id uuid references papers (id) on delete cascade,
  add column reference text not null default '',
  add column received_on date,
  drop constraint imports_purpose_check,
  add constraint imports_purpose_check check (purpose in ('students', 'registrar', 'marks', 'serials')),
  drop constraint imports_term,
  add constraint imports_about check ((term_id is not null) = (purpose in ('registrar', 'marks'))
    and (paper_id is not null) = (purpose = 'serials'));
alter table import_rows
  drop constraint import_rows_matched_by_check,
  add constraint import_rows_matched_by_check
    check (matched_by in ('number', 'name and birth date', 'name', 'position', 'hand'));

-- What names or describes a student must go when the record is deleted, in whatever way.
create or replace function clear_rows_of_deleted_students() returns trigger language plpgsql as $$
begin
  update import_rows set changes = '[]', fields = '{}', edits = '{}', cells = '[]'
  from deleted where import_rows.record_id = deleted.id;
  update paper_rows set cells = '["erased"]', serial = '', student_id = null
  from deleted where paper_rows.student_id = deleted.id;
  delete from paper_answers using (
    select paper_id, code, subject from paper_answers, unnest(string_to_array(subject, ' ')) part
    where part in (select id::text from deleted)
  ) erased
  where (paper_answers.paper_id, paper_answers.code, paper_answers.subject)
    = (erased.paper_id, erased.code, erased.subject);
  return null;
end
$$;

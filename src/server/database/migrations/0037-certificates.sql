-- Certificates of the program, which anybody can verify by the code on them.

-- Its row is locked while numbers of the year are given, so that none is left out and none given twice.
create table certificate_numbers (
  year integer primary key,
  last integer not null
);

create table certificates (
  id uuid primary key,
  -- 'NSTP-2026-000123'
  number text not null unique,
  -- Only who has the paper knows it.
  code text not null unique,
  -- completion: of a graduate · certification: of anybody with a serial number
  kind text not null check (kind in ('completion', 'certification')),
  component text not null check (component in ('ROTC', 'CWTS', 'LTS')),
  academic_year text not null,
  -- No foreign key, as for import_rows.record_id. Null: the person's data was deleted.
  student_id uuid,
  -- The names and the serial number as they are printed, and who signs.
  content jsonb not null,
  issued_on date not null,
  issued_by_id uuid references admins (id) on delete set null,
  issued_at timestamptz not null,
  -- Of many at once.
  batch_id uuid not null,
  prints integer not null default 0,
  revoked_by_id uuid references admins (id) on delete set null,
  revoked_at timestamptz,
  revoke_reason text not null default ''
);
create unique index certificates_valid on certificates (student_id, kind)
  where revoked_at is null and student_id is not null;
create index certificates_student on certificates (student_id) where student_id is not null;
create index certificates_batch on certificates (batch_id);
create index certificates_year on certificates (academic_year, number desc);

create or replace function clear_rows_of_deleted_students() returns trigger language plpgsql as $$
begin
  update import_rows set changes = '[]', fields = '{}', edits = '{}', cells = '[]'
  from deleted where import_rows.record_id = deleted.id;
  update paper_rows set cells = '["erased"]', serial = '', student_id = null
  from deleted where paper_rows.student_id = deleted.id;
  update certificates set content = '{}', revoke_reason = '', student_id = null
  from deleted where certificates.student_id = deleted.id;
  delete from paper_answers using (
    select paper_id, code, subject from paper_answers, unnest(string_to_array(subject, ' ')) part
    where part in (select id::text from deleted)
  ) erased
  where (paper_answers.paper_id, paper_answers.code, paper_answers.subject)
    = (erased.paper_id, erased.code, erased.subject);
  return null;
end
$$;

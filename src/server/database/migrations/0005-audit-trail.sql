-- Who did what, when and from where. Personal values are only in audit_values: an entry has a student's id and
-- reference, and the names of changed fields.
create table audit_events (
  -- UUID version 7: in order of time.
  id uuid primary key,
  at timestamptz not null,
  action text not null,
  -- No foreign key: an entry outlives the administrator. Null when nobody was signed in, and for the command line.
  admin_id uuid,
  -- The e-mail address of that time, 'command line' or 'system'.
  actor text not null,
  client_address text not null,
  user_agent text not null,
  request_id text not null,
  -- Null unless it was about exactly one record.
  student_id uuid,
  -- Names the record, batch or setting without personal data: a reference, a file's name.
  subject text not null,
  -- The changed fields.
  fields text[] not null,
  -- The number of records it was about.
  affected integer not null,
  -- Further facts without personal data: filters, a format, a number of rows.
  detail jsonb not null
);
-- The trail, newest first, and deletion of old entries.
create index audit_events_at on audit_events (at desc, id desc);
-- The trail of one action.
create index audit_events_action on audit_events (action, at desc, id desc);
-- The history of a record.
create index audit_events_student on audit_events (student_id, at desc, id desc) where student_id is not null;

-- The records of an entry about many.
create table audit_students (
  event_id uuid not null references audit_events (id) on delete cascade,
  student_id uuid not null,
  primary key (event_id, student_id)
);
-- The history of a record.
create index audit_students_student on audit_students (student_id);

-- Old and new values, read one entry at a time. They are deleted with the student's record (RA 10173); the entry stays.
create table audit_values (
  event_id uuid primary key references audit_events (id) on delete cascade,
  student_id uuid references students (id) on delete cascade,
  before jsonb not null,
  after jsonb not null
);
-- Deletion of a record with its values.
create index audit_values_student on audit_values (student_id) where student_id is not null;

-- Entries can't be changed; only retention, which sets nstp.retention, deletes them.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('nstp.retention', true) = 'on' then
    return old;
  end if;
  raise exception 'the audit trail is not alterable' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_events_fixed before update or delete on audit_events
  for each row execute function refuse_audit_change();
create trigger audit_values_fixed before update on audit_values
  for each row execute function refuse_audit_change();

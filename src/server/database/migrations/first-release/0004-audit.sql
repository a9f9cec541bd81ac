-- Who did what, when and from where. No personal value stands here: of a student the id and the reference, of
-- a change the names of the fields.
create table audit_events (
  -- Version 7: in order of time.
  id uuid primary key,
  at timestamptz not null,
  action text not null,
  -- No foreign key: an entry outlives the administrator. Null: nobody signed in, or the command line.
  admin_id uuid,
  -- The e-mail address of that time, 'command line' or 'system'.
  actor text not null,
  client_address text not null,
  user_agent text not null,
  request_id text not null,
  -- The one record it was about, if it was one.
  student_id uuid,
  -- How that record, batch or setting is called, as far as it isn't personal: a reference, a file's name.
  subject text not null,
  -- The fields that were changed.
  fields text[] not null,
  -- How many records it was about.
  affected integer not null,
  -- What else tells it apart, as far as it isn't personal: filters, a format, a number of rows.
  detail jsonb not null
);
create index audit_events_at on audit_events (at desc, id desc);
create index audit_events_action on audit_events (action, at desc, id desc);
create index audit_events_student on audit_events (student_id, at desc, id desc) where student_id is not null;

-- The records of an entry that was about many.
create table audit_students (
  event_id uuid not null references audit_events (id) on delete cascade,
  student_id uuid not null,
  primary key (event_id, student_id)
);
create index audit_students_student on audit_students (student_id);

-- The protected part: old and new values. They are read one entry at a time, and go when the student's record
-- is erased (RA 10173), while the entry itself stays.
create table audit_values (
  event_id uuid primary key references audit_events (id) on delete cascade,
  student_id uuid references students (id) on delete cascade,
  before jsonb not null,
  after jsonb not null
);
create index audit_values_student on audit_values (student_id) where student_id is not null;

-- What happened can't be rewritten, and an entry goes only when its time has come.
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

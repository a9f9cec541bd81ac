-- The rights of RA 10173: blocking, erasure that a restore respects, requests, breaches.

alter table students
  -- blocked: the student objected, or disputes the record · withdrawn: the student withdrew the consent
  add column restriction text check (restriction in ('blocked', 'withdrawn')),
  -- A guardian's consent, for a student below 18 at registration.
  add column guardian_consented_at timestamptz;

-- Records deleted on request, as HMAC-SHA-256 of their id: a restore of an older backup deletes them again.
create table erasures (
  record_hash bytea primary key,
  erased_at timestamptz not null
);

create table privacy_requests (
  id uuid primary key,
  kind text not null check (kind in ('access', 'correction', 'objection', 'erasure', 'copy')),
  -- The record's reference or another number, never a name: it outlives the record.
  reference text not null,
  received_on date not null,
  due_on date not null,
  closed_on date,
  outcome text check (outcome in ('granted', 'refused')),
  check ((closed_on is null) = (outcome is null))
);

create table privacy_breaches (
  id uuid primary key,
  -- The 72 hours of NPC Circular 16-03 begin here.
  noticed_at timestamptz not null,
  happened text not null,
  data text not null,
  measures text not null,
  people integer not null,
  commission_at timestamptz,
  people_at timestamptz
);

-- Update rows hold values of their record, which must go when it is deleted, in whatever way.
create or replace function clear_rows_of_deleted_students() returns trigger language plpgsql as $$
begin
  update import_rows set changes = '[]', fields = '{}', edits = '{}', cells = '[]'
  from deleted where import_rows.record_id = deleted.id;
  return null;
end
$$;

-- What can be undone, which records were merged and when the last backup was made, until now read in the audit trail
-- (decision 049). What can still be undone moves; the entries of the trail stay as they are.

create table last_backup (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null,
  is_sealed boolean not null
);
insert into last_backup (at, is_sealed)
select at, detail @> '{"sealed": true}' from audit_events
where action = 'backup-made' and detail ->> 'finished' = 'true'
order by at desc, id desc limit 1;

alter table students
  -- The records that were merged into it: an erasure is theirs too.
  add column merged_ids uuid[] not null default '{}';

-- The values of records before a change of many or a merge, for the minutes in which it can be undone.
create table undoable_changes (
  -- Of a merge, the id of the record that it deleted.
  change_id uuid not null,
  -- A deleted record takes its values along (RA 10173).
  student_id uuid not null references students (id) on delete cascade,
  at timestamptz not null,
  admin_id uuid,
  -- The record's after the change: a record that was changed since is left alone.
  version integer not null,
  before jsonb not null,
  -- Of a merge: the record that it deleted, and its messages, which moved to the other.
  dropped jsonb,
  primary key (change_id, student_id)
);
-- Deletion with the record, and the file of a person.
create index undoable_changes_student on undoable_changes (student_id);

create table merges_until_now as
with recursive merged (kept_id, dropped_id) as (
  select event.student_id, linked.student_id
  from audit_events event join audit_students linked on linked.event_id = event.id
  where event.action = 'students-merged' and linked.student_id <> event.student_id
), own (kept_id, id) as (
  select kept_id, dropped_id from merged
  union
  select own.kept_id, merged.dropped_id from own join merged on merged.kept_id = own.id
)
-- Not those of an undone merge.
select kept_id, array_agg(id) as ids from own
where not exists (select from students where students.id = own.id) group by kept_id;

update students set merged_ids = ids from merges_until_now where kept_id = students.id;

insert into undoable_changes (change_id, student_id, at, admin_id, version, before)
select (detail ->> 'bulkChange')::uuid, event.student_id, at, admin_id, (detail ->> 'version')::integer, before
from audit_events event join audit_values own on own.event_id = event.id
where action = 'student-edited' and at > now() - interval '10 minutes' and detail ? 'bulkChange';

-- The newest first: a merge can be undone and made again.
insert into undoable_changes (change_id, student_id, at, admin_id, version, before, dropped)
select linked.student_id, event.student_id, at, admin_id, (after #>> '{target,version}')::integer,
  (select jsonb_object_agg(field, before #> array['target', field])
    from unnest(fields || array['restriction']) field)
    || jsonb_build_object('mergedIds', array(
      select unnest(ids) from merges_until_now where kept_id = event.student_id
      except select linked.student_id
      except select unnest(ids) from merges_until_now where kept_id = linked.student_id)),
  jsonb_build_object('mail', before -> 'mail', 'record', before -> 'dropped' || jsonb_build_object('mergedIds',
    coalesce((select ids from merges_until_now where kept_id = linked.student_id), '{}')))
from audit_events event join audit_values own on own.event_id = event.id
  join audit_students linked on linked.event_id = event.id and linked.student_id <> event.student_id
where action = 'students-merged' and at > now() - interval '10 minutes'
  and not exists (select from students where students.id = linked.student_id)
order by at desc
on conflict do nothing;

-- Of a merge the trail keeps what an edit has: the changed values, and no whole record.
alter table audit_values disable trigger audit_values_fixed;
update audit_values
set before = (select coalesce(jsonb_object_agg(field, before #> array['target', field]), '{}') from unnest(fields) field),
  after = (select coalesce(jsonb_object_agg(field, after #> array['target', field]), '{}') from unnest(fields) field)
from audit_events event
where event.id = event_id and action = 'students-merged' and before ? 'target';
alter table audit_values enable trigger audit_values_fixed;

alter table rejected_students
  -- The administrator's e-mail address of that time.
  add column actor text not null default '',
  -- Undone as far as possible: it stayed out, because its form was sent again.
  add column is_undone boolean not null default false;
update rejected_students
set actor = coalesce((select actor from audit_events
    where action = 'registrations-rejected' and detail ->> 'rejection' = rejection_id::text), ''),
  is_undone = exists (select from audit_events
    where action = 'rejection-undone' and detail ->> 'rejection' = rejection_id::text),
  record = record || jsonb_build_object('merged_ids',
    coalesce((select ids from merges_until_now where kept_id = rejected_students.id), '{}'));

drop table merges_until_now;

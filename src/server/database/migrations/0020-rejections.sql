-- Registrations that nobody made are rejected together; for a day they can be brought back.

alter table students
  -- The network it was sent from, so that the registrations of one flood are found; for 30 days.
  add column network text;

create table rejected_students (
  id uuid primary key,
  rejection_id uuid not null,
  rejected_at timestamptz not null,
  -- The row of `students`.
  record jsonb not null,
  -- Its messages that were not sent yet; bringing it back queues those that were cancelled meanwhile.
  waiting uuid[] not null
);
-- Its messages belong to no record meanwhile.
alter table mail_messages
  add column rejected_id uuid references rejected_students (id) on delete cascade;
-- Bringing back, deletion, and cancelling what was queued again.
create index mail_messages_rejected on mail_messages (rejected_id) where rejected_id is not null;
-- Bringing one rejection back.
create index rejected_students_rejection on rejected_students (rejection_id);
-- Deletion after a day.
create index rejected_students_rejected on rejected_students (rejected_at);

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
  -- Its messages, which belong to no record meanwhile.
  mail uuid[] not null
);
-- Bringing one rejection back.
create index rejected_students_rejection on rejected_students (rejection_id);
-- Deletion after a day.
create index rejected_students_rejected on rejected_students (rejected_at);

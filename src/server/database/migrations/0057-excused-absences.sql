-- A student asks at /my to be excused on a training day.
alter table student_requests drop constraint student_requests_kind_check;
alter table student_requests
  add constraint student_requests_kind_check
    check (kind in ('correction', 'component', 'absence', 'copy', 'blocking', 'erasure')),
  add column day_id uuid references training_days (id),
  -- One of the list of grounds of the desk, never a diagnosis.
  add column ground text not null default '',
  add constraint student_requests_absence
    check ((kind = 'absence') = (day_id is not null) and (kind = 'absence') = (ground <> ''));
create index student_requests_day on student_requests (day_id) where day_id is not null;

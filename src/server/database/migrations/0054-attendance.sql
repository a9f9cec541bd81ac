-- Training days of a term, who was there, and from when absences are too many.

create table training_days (
  id uuid primary key,
  term_id uuid not null references terms (id),
  component text not null check (component in ('ROTC', 'CWTS', 'LTS')),
  -- NSTP 1 or NSTP 2; null: both
  level smallint check (level in (1, 2)),
  -- Empty: all sections. The id of a deleted section stays, or a day of that section alone would become one of all.
  section_ids uuid[] not null default '{}',
  held_on date not null,
  title text not null default '',
  -- '07:30', or '' where it isn't known.
  starts_at text not null default '' check (starts_at ~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'),
  -- Quarters of an hour are exact in this type.
  hours double precision not null check (hours > 0 and hours <= 24),
  -- planned: also while some sections are left open
  state text not null default 'planned' check (state in ('planned', 'closed', 'cancelled')),
  -- When absences were last written; null before, and after it was reopened.
  closed_at timestamptz,
  -- The sections for which closing said that the day was cancelled.
  cancelled_section_ids uuid[] not null default '{}',
  -- The sections that closing left open, null for the students without one.
  open_section_ids uuid[] not null default '{}',
  -- Whether closing wrote absent for who was enrolled after the day, too.
  with_later boolean not null default false,
  -- Why the office reopened it last.
  reopen_reason text not null default '',
  -- Of a make-up day: the day in whose place it is.
  replaces_id uuid references training_days (id),
  version integer not null default 1
);
create index training_days_term on training_days (term_id, component, held_on);
create index training_days_replaces on training_days (replaces_id) where replaces_id is not null;

-- What holds of a student on a day. It hangs on the student: undone placings, moves and drops delete enrolments.
create table attendance (
  day_id uuid not null references training_days (id),
  student_id uuid not null references students (id) on delete cascade,
  state text not null check (state in ('present', 'late', 'absent', 'excused')),
  -- Late by so many.
  minutes smallint check (minutes > 0),
  -- Of who is excused: one of the list of grounds, never a diagnosis.
  ground text not null default '',
  -- desk: the office's grid; closing: nobody had called the student
  source text not null check (source in ('roll', 'scan', 'desk', 'closing')),
  at timestamptz not null,
  by_id uuid references admins (id) on delete set null,
  version integer not null default 1,
  primary key (day_id, student_id),
  check (minutes is null or state = 'late'),
  check ((ground <> '') = (state = 'excused'))
);
create index attendance_student on attendance (student_id);
-- Nobody else can be near or over a limit.
create index attendance_missed on attendance (day_id, student_id) where state in ('late', 'absent');

-- Every call. The product's role only adds to it, and moves it to another record in a merge (product-role.ts).
create table attendance_calls (
  -- Made by the caller: a call that is sent again is none.
  id uuid primary key,
  day_id uuid not null references training_days (id),
  student_id uuid not null references students (id) on delete cascade,
  -- Null: the call before is taken back.
  state text check (state in ('present', 'late', 'absent', 'excused')),
  minutes smallint,
  ground text not null default '',
  source text not null check (source in ('roll', 'scan', 'desk')),
  at timestamptz not null,
  by_id uuid references admins (id) on delete set null
);
create index attendance_calls_student on attendance_calls (student_id);
create index attendance_calls_day on attendance_calls (day_id);

-- From when a student of a component is over the limit: null where that doesn't count. A term without a row has the
-- rule of the term before it.
create table attendance_rules (
  term_id uuid not null references terms (id) on delete cascade,
  component text not null check (component in ('ROTC', 'CWTS', 'LTS')),
  -- Over at so many absences.
  absences smallint check (absences > 0),
  -- Over at more than so many of a hundred days.
  percent smallint check (percent between 1 and 100),
  -- Over at so many absences in a row.
  in_row smallint check (in_row > 0),
  -- Over at so many missed hours.
  hours_missed smallint check (hours_missed > 0),
  -- So many lates make an absence.
  lates smallint check (lates > 0),
  -- The hours of training that the law or the school asks for.
  hours smallint not null check (hours between 1 and 200),
  primary key (term_id, component)
);

-- What was changed since a training day. Rows are only added, in the order of time.
create index enrolment_changes_at on enrolment_changes using brin (at);

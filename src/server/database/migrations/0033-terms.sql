-- Semesters, their sections, and who is enrolled in them.

create table terms (
  id uuid primary key,
  academic_year text not null,
  -- 3: the summer
  semester smallint not null check (semester in (1, 2, 3)),
  starts_on date not null,
  ends_on date not null,
  state text not null default 'planned' check (state in ('planned', 'open', 'closed')),
  created_at timestamptz not null,
  version integer not null default 1,
  unique (academic_year, semester),
  check (starts_on < ends_on)
);
-- One at most.
create unique index terms_open on terms ((true)) where state = 'open';

create table sections (
  id uuid primary key,
  term_id uuid not null references terms (id),
  component text not null check (component in ('ROTC', 'CWTS', 'LTS')),
  -- NSTP 1 or NSTP 2
  level smallint not null check (level in (1, 2)),
  -- 'Alpha' of 'Alpha', 'Platoon 3'; '' where a section is of none.
  unit text not null default '',
  name text not null,
  capacity integer not null check (capacity between 1 and 1000),
  takes text not null default 'all' check (takes in ('all', 'Male', 'Female')),
  -- Empty: all.
  courses text[] not null default '{}',
  adviser text not null default '',
  -- Day, time and place.
  meets text not null default '',
  position integer not null,
  version integer not null default 1
);
create unique index sections_name on sections (term_id, component, level, lower(unit), lower(name));

-- One student in one level of one term.
create table enrolments (
  id uuid primary key,
  term_id uuid not null references terms (id),
  student_id uuid not null references students (id) on delete cascade,
  component text not null check (component in ('ROTC', 'CWTS', 'LTS')),
  level smallint not null check (level in (1, 2)),
  section_id uuid references sections (id),
  -- moved: to another component or level, where another row is
  status text not null default 'enrolled' check (status in ('enrolled', 'dropped', 'moved')),
  status_on date not null,
  reason text not null default '',
  entry text not null check (entry in ('new', 'continuing', 'repeating', 'transferee', 'cross-enrolled')),
  -- The home school of who is cross-enrolled.
  school text not null default '',
  -- When the registrar's list had it.
  official_at timestamptz,
  mark text not null default '',
  percent numeric(5, 2),
  -- Of the mark: attendance, examinations …
  parts jsonb,
  outcome text not null default 'none'
    check (outcome in ('none', 'passed', 'failed', 'incomplete', 'dropped')),
  version integer not null default 1
);
create unique index enrolments_live on enrolments (student_id, term_id, level) where status = 'enrolled';
create unique index enrolments_passed on enrolments (student_id, level) where outcome = 'passed';
create index enrolments_student on enrolments (student_id);
create index enrolments_section on enrolments (section_id) where section_id is not null;
create index enrolments_term on enrolments (term_id, component, level, section_id) include (student_id, status);

-- The product's role only adds to it (product-role.ts).
create table enrolment_changes (
  id uuid primary key,
  enrolment_id uuid not null references enrolments (id) on delete cascade,
  at timestamptz not null,
  -- Null: the product itself.
  by_id uuid references admins (id) on delete set null,
  what text not null
    check (what in ('enrolled', 'section', 'moved', 'dropped', 'official', 'mark', 'undone')),
  before jsonb not null,
  after jsonb not null,
  reason text not null default '',
  -- Of many at once.
  batch_id uuid,
  -- The enrolment's after it.
  version integer not null
);
create index enrolment_changes_enrolment on enrolment_changes (enrolment_id, at);
create index enrolment_changes_batch on enrolment_changes (batch_id) where batch_id is not null;

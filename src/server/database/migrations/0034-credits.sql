-- What of NSTP a student earned elsewhere, and who is exempt.

create table credits (
  id uuid primary key,
  student_id uuid not null references students (id) on delete cascade,
  kind text not null check (kind in ('credit', 'exemption')),
  -- Of a credit; an exemption is of both.
  level smallint check (level in (1, 2)),
  component text check (component in ('ROTC', 'CWTS', 'LTS')),
  school text not null default '',
  academic_year text not null default '',
  mark text not null default '',
  ground text not null
    check (ground in ('transferee', 'shifter', 'previous degree', 'foreign national', 'other')),
  -- What was seen, and when.
  evidence text not null,
  decided_by_id uuid references admins (id) on delete set null,
  decided_at timestamptz not null,
  revoked_by_id uuid references admins (id) on delete set null,
  revoked_at timestamptz,
  revoke_reason text not null default '',
  check ((kind = 'credit') = (level is not null))
);
create index credits_student on credits (student_id);
create unique index credits_level on credits (student_id, level) where revoked_at is null and level is not null;
create unique index credits_exemption on credits (student_id) where revoked_at is null and kind = 'exemption';

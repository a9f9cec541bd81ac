-- Facilitators: accounts that call the rolls of sections, and do nothing else.

alter table admins
  drop constraint admins_role_check,
  add constraint admins_role_check
    check (role in ('administrator', 'coordinator', 'assistant', 'registrar', 'privacy officer', 'facilitator')),
  drop constraint admins_end,
  add constraint admins_end check (case role when 'assistant' then expires_on is not null
    when 'facilitator' then expires_on is not null
    when 'administrator' then expires_on is null else true end),
  -- Of the students of the own sections, and of whom to call in an emergency.
  add column sees_phone_numbers boolean not null default false,
  add constraint admins_phone_numbers check (not sees_phone_numbers or role = 'facilitator');

-- The sections of a facilitator. None means none; those of a term that isn't open open nothing.
create table admin_sections (
  admin_id uuid not null references admins (id) on delete cascade,
  section_id uuid not null references sections (id) on delete cascade,
  primary key (admin_id, section_id)
);
create index admin_sections_section on admin_sections (section_id);

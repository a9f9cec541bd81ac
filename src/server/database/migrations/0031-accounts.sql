-- Accounts that end, and a version for changes of one at once.
alter table admins
  -- The last day, in the program's time zone; null: none.
  add column expires_on date,
  add column disabled_at timestamptz,
  add column version integer not null default 1,
  add constraint admins_end check (case role when 'assistant' then expires_on is not null
    when 'administrator' then expires_on is null else true end);

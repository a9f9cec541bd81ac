-- Administrators and how they sign in, tokens for other programs, system settings, versions for live updates.

create table admins (
  id uuid primary key,
  email text not null,
  display_name text not null,
  -- Argon2id in PHC form.
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  -- When the students list was last opened; the bell counts the records since then.
  students_seen_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
-- Sign-in, in any case of letters.
create unique index admins_email on admins (lower(email));

-- The token itself is only in the browser's cookie. Here is its SHA-256, so a copy of the table opens nothing.
create table sessions (
  token_hash bytea primary key,
  -- Names the session on the screen of signed-in devices, which never gets the hash.
  id uuid not null default gen_random_uuid(),
  admin_id uuid not null references admins (id) on delete cascade,
  -- The known device that signed in. Ending the session from another device deletes it too.
  device_hash bytea,
  client_address text not null default '',
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now()
);
-- Ending one session from the screen of signed-in devices.
create unique index sessions_id on sessions (id);
-- The signed-in devices of an administrator.
create index sessions_admin on sessions (admin_id);
-- Deletion of unused sessions.
create index sessions_last_used on sessions (last_used_at);

-- Browsers with a successful sign-in: they can still sign in while the account is throttled.
create table known_devices (
  token_hash bytea primary key,
  admin_id uuid not null references admins (id) on delete cascade,
  last_used_at timestamptz not null default now()
);
-- Deletion of an administrator's other devices.
create index known_devices_admin on known_devices (admin_id);

-- An attempt is counted before its password is checked; a success deletes the count.
create table sign_in_failures (
  -- The hash of 'account:…', 'network:…' or 'device:…'.
  subject text primary key,
  failures integer not null,
  last_failure_at timestamptz not null,
  -- Null until the free attempts are used up.
  blocked_until timestamptz
);
-- Deletion of old counts.
create index sign_in_failures_last on sign_in_failures (last_failure_at);

-- The authenticator app of an administrator (RFC 6238).
create table second_factors (
  admin_id uuid primary key references admins (id) on delete cascade,
  -- Encrypted with a key of SECRET_KEY.
  secret bytea not null,
  -- Null during the set-up: sign-in doesn't ask for it yet.
  confirmed_at timestamptz,
  -- The time step of the last accepted code. Codes of this step or earlier ones are refused.
  last_step bigint not null default 0
);

-- Each is valid for one sign-in in place of a code. SHA-256 is enough for 79 random bits.
create table recovery_codes (
  admin_id uuid not null references second_factors (admin_id) on delete cascade,
  code_hash bytea not null,
  primary key (admin_id, code_hash)
);

-- Other programs send mail with these.
create table api_tokens (
  id uuid primary key,
  name text not null,
  -- SHA-256: the token itself is shown once.
  token_hash bytea not null unique,
  -- Its first characters, so that a list can name it.
  prefix text not null,
  created_at timestamptz not null,
  created_by text not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- One row. A setting that is missing in `changed` has the product's default.
create table settings (
  only_row boolean primary key default true check (only_row),
  version integer not null,
  changed jsonb not null,
  changed_at timestamptz not null default now()
);
insert into settings (version, changed) values (1, '{}');

-- Live updates across processes. A notice only wakes the others, which then compare these versions: a lost notice, or
-- a server without LISTEN, delays an update but never drops it.
create table topics (
  name text primary key,
  version bigint not null default 0
);

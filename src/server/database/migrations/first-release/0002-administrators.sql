create table admins (
  id uuid primary key,
  email text not null,
  display_name text not null,
  -- Argon2id in PHC form.
  password_hash text not null,
  created_at timestamptz not null default now(),
  password_changed_at timestamptz not null default now()
);
create unique index admins_email on admins (lower(email));

-- A token itself is only in the browser's cookie; here is its SHA-256, so that a copy of the table opens
-- nothing.
create table sessions (
  token_hash bytea primary key,
  admin_id uuid not null references admins (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  user_agent text not null default ''
);
create index sessions_admin on sessions (admin_id);
create index sessions_last_used on sessions (last_used_at);

-- Browsers that signed in successfully before: they stay able to sign in while an account is throttled.
create table known_devices (
  token_hash bytea primary key,
  admin_id uuid not null references admins (id) on delete cascade,
  last_used_at timestamptz not null default now()
);
create index known_devices_admin on known_devices (admin_id);

-- Failed sign-ins by subject: 'account:…', 'network:…' or 'device:…', hashed. An attempt is counted before its
-- password is looked at, and a success takes the count away.
create table sign_in_failures (
  subject text primary key,
  failures integer not null,
  last_failure_at timestamptz not null,
  -- Null while the free tries last.
  blocked_until timestamptz
);
create index sign_in_failures_last on sign_in_failures (last_failure_at);

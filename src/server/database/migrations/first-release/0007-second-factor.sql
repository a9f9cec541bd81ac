-- What the list of signed-in devices shows of a session; the token's hash stays out of it.
alter table sessions
  add column id uuid not null default gen_random_uuid(),
  add column client_address text not null default '',
  -- The known device that signed in: it is forgotten with the session that somebody signs out from afar.
  add column device_hash bytea;
create unique index sessions_id on sessions (id);

-- The authenticator app of an administrator (RFC 6238).
create table second_factors (
  admin_id uuid primary key references admins (id) on delete cascade,
  -- Sealed with a key of SECRET_KEY.
  secret bytea not null,
  -- Null while it is being set up: no sign-in asks for it yet.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken; no code of it or of an earlier one is taken again.
  last_step bigint not null default 0
);

-- Each opens one sign-in in the place of a code. SHA-256, as of 79 random bits.
create table recovery_codes (
  admin_id uuid not null references second_factors (admin_id) on delete cascade,
  code_hash bytea not null,
  primary key (admin_id, code_hash)
);

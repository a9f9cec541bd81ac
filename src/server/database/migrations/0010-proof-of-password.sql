-- Passwords that the product or the command line made, how long ago a password was typed, and bounds of a set-up.

-- The owner has not chosen the password yet: it opens only the screen that changes it, for seven days.
alter table admins add column has_first_password boolean not null default false;

-- When the password, and the code where there is one, was last given.
alter table sessions add column proven_at timestamptz not null default now();

alter table second_factors
  add column begun_at timestamptz not null default now(),
  -- Codes typed at the set-up.
  add column attempts integer not null default 0;

-- Where the product puts a backup every night; off without a folder. The passphrase is sealed with SECRET_KEY.
create table nightly_backup (
  only_row boolean primary key default true check (only_row),
  version integer not null default 1,
  folder text not null default '',
  passphrase bytea,
  changed_at timestamptz,
  -- The last attempt, and the last file that became whole.
  tried_at timestamptz,
  made_at timestamptz,
  bytes bigint,
  kept integer,
  -- A sentence; null since the last file.
  failure text,
  check ((folder = '') = (passphrase is null))
);
insert into nightly_backup default values;

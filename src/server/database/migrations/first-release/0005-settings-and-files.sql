-- Images and later attachments, by their content: the same bytes are stored once, and an address never changes
-- what it shows.
create table files (
  -- SHA-256 of the bytes, in hexadecimal.
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  media_type text not null,
  bytes bytea not null,
  -- Of images, in pixels.
  width integer,
  height integer,
  created_at timestamptz not null default now()
);
-- Images are compressed already: trying again costs time at each write.
alter table files alter column bytes set storage external;

-- One row: what the coordinator has set. A setting that isn't in it has the product's default.
create table settings (
  only_row boolean primary key default true check (only_row),
  version integer not null,
  changed jsonb not null,
  changed_at timestamptz not null default now()
);
insert into settings (version, changed) values (1, '{}');

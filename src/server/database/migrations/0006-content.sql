-- What the coordinator publishes: announcements, slides, the organizational chart, and their files.

-- Named by content: the same bytes are stored once, and an address always shows the same.
create table files (
  -- SHA-256 of the bytes, in hexadecimal.
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  media_type text not null,
  bytes bytea not null,
  -- Of images, in pixels.
  width integer,
  height integer,
  -- Of attachments: the name for downloads.
  file_name text,
  created_at timestamptz not null default now()
);
-- Images are compressed already.
alter table files alter column bytes set storage external;

create table announcements (
  id uuid primary key,
  version integer not null default 1,
  title text not null,
  content text not null,
  category text not null,
  -- Listed before the others.
  pinned boolean not null default false,
  -- Public from then on, which may be in the future; null for a draft.
  published_at timestamptz,
  -- Public until then; null for no end.
  expire_at timestamptz,
  check (expire_at > published_at),
  -- Addresses and sizes of the picture, see src/shared/files/picture.ts.
  image jsonb,
  -- { url, name, type, size } of the file to download.
  attachment jsonb,
  -- The component to mail it to on publication, '' for all students; null for no mail.
  mail_to text,
  mailed_at timestamptz,
  -- Why it was not mailed on publication: a sentence; '' for no problem. An administrator then has to start it.
  mail_problem text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by uuid references admins (id) on delete set null,
  author_email text not null
);
-- The public list, page by page.
create index announcements_public on announcements (pinned desc, published_at desc, id desc)
  where published_at is not null;
-- The next time at which the public list changes.
create index announcements_publish on announcements (published_at);
create index announcements_expire on announcements (expire_at) where expire_at is not null;
-- What is due to be mailed.
create index announcements_to_mail on announcements (published_at)
  where mail_to is not null and mailed_at is null and mail_problem = '';

create table slides (
  id uuid primary key,
  version integer not null default 1,
  title text not null default '',
  description text not null default '',
  image jsonb not null,
  active boolean not null default true,
  -- From 0 without gaps. Checked at the end of a transaction, so that two slides can swap places.
  position integer not null unique deferrable initially deferred,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table org_nodes (
  id uuid primary key,
  version integer not null default 1,
  name text not null,
  title text not null default '',
  department text not null default '' check (department in ('', 'Administration', 'Faculty', 'Staff')),
  -- Null for a root. The repository prevents cycles: it changes the tree under a lock.
  parent_id uuid references org_nodes (id) check (parent_id <> id),
  -- Among the nodes of the same parent.
  position integer not null,
  image jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- The children of a node, in order.
create index org_nodes_siblings on org_nodes (parent_id, position);

-- What the coordinator publishes: announcements, the slides of the home page, the organizational chart.

-- Of attachments: the name they are saved under.
alter table files add column file_name text;

create table announcements (
  id uuid primary key,
  version integer not null default 1,
  title text not null,
  content text not null,
  category text not null,
  -- Shown before the others.
  pinned boolean not null default false,
  -- Since when it is public; in the future until then, and null while it is a draft.
  published_at timestamptz,
  -- Until when it is public; null for ever.
  expire_at timestamptz,
  check (expire_at > published_at),
  -- The addresses and sizes of its picture, see src/shared/picture.ts.
  image jsonb,
  -- { url, name, type, size } of the file to download.
  attachment jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  created_by uuid references admins (id) on delete set null,
  author_email text not null
);
-- The public list, and its pieces.
create index announcements_public on announcements (pinned desc, published_at desc, id desc)
  where published_at is not null;
-- The next instant at which the public list changes by itself.
create index announcements_publish on announcements (published_at);
create index announcements_expire on announcements (expire_at) where expire_at is not null;

create table slides (
  id uuid primary key,
  version integer not null default 1,
  title text not null default '',
  description text not null default '',
  image jsonb not null,
  active boolean not null default true,
  -- From 0 without gaps. Checked at the end of a transaction, which may exchange places.
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
  -- Null for a root. Neither a cycle nor an orphan: changes of the tree take turns, see the repository.
  parent_id uuid references org_nodes (id) check (parent_id <> id),
  -- Among the nodes of the same parent.
  position integer not null,
  image jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index org_nodes_siblings on org_nodes (parent_id, position);

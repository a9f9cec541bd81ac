-- The agency's own workbook, which a paper is written into.

create table layout_bases (
  id uuid primary key,
  layout text not null,
  file_name text not null,
  -- Without what was removed of the file.
  bytes bytea not null,
  -- Where its sheets and columns are.
  headings jsonb not null,
  removed text[] not null default '{}',
  uploaded_by_id uuid references admins (id) on delete set null,
  uploaded_at timestamptz not null,
  -- Papers that were frozen before still use it.
  retired_at timestamptz
);
create unique index layout_bases_used on layout_bases (layout) where retired_at is null;

alter table papers add column base_id uuid references layout_bases (id);
create index papers_base on papers (base_id) where base_id is not null;

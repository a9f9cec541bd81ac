-- When a row's student was archived; null for one who isn't.
alter table import_rows add column archived_date timestamptz;

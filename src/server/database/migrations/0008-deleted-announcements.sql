-- A deleted announcement can be restored for some minutes.

alter table announcements add column deleted_at timestamptz;

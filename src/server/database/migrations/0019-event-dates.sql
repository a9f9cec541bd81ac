-- When and where the event of an announcement is.

alter table announcements
  add column event_at timestamptz,
  add column place text not null default '';
-- The events that lie ahead.
create index announcements_event on announcements (event_at) where event_at is not null;

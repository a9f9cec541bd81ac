-- How many students' records a session has removed since a moment, so that administrators hear of many.
alter table sessions
  add column removals_since timestamptz,
  add column removals integer not null default 0;

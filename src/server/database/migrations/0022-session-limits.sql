-- What a session has read since a moment without a new proof, and whether it outlives its browser.
alter table sessions
  add column records_since timestamptz,
  add column records_read integer not null default 0,
  add column is_kept boolean not null default false;

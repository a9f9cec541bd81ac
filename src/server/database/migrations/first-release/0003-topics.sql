-- What changed, for live updates across processes: a notice only wakes the others, this table is the truth
-- that they compare with, so a lost notice or an engine without LISTEN delays an update but never drops it.
create table topics (
  name text primary key,
  version bigint not null default 0
);

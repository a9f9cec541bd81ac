-- When expired data was last deleted. Far from the clock's date, one of the two is wrong: nothing is deleted until an
-- administrator confirms the date. No row before the first clean-up.
create table clean_ups (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null
);
insert into clean_ups (at) select max(at) from audit_events having max(at) is not null;

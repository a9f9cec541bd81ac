-- When the agency answered.
alter table papers add column answered_on date;

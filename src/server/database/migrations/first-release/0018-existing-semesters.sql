-- The default semesters have changed. A program with records that never saved its own keeps those that it had.
insert into settings (version, changed) values (1, '{}') on conflict do nothing;
update settings set version = version + 1, changed_at = now(), changed = changed || '{"semesters": [
  {"name": "First Semester", "firstMonth": 8, "lastMonth": 12},
  {"name": "Second Semester", "firstMonth": 1, "lastMonth": 5},
  {"name": "Summer", "firstMonth": 6, "lastMonth": 7}
]}'
where not changed ? 'semesters' and exists (select from students);

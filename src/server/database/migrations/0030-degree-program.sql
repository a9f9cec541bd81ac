-- Optional: the programmes of each course are in the settings, and older records have none.
alter table students add column program text not null default '';

-- A rejected registration comes back as a whole row.
update rejected_students set record = record || '{"program": ""}'::jsonb;

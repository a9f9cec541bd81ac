-- Optional: the office's papers ask for them, and older records have none.
alter table students
  add column extension_name text not null default '',
  add column barangay text not null default '',
  add column province text not null default '';

-- A rejected registration comes back as a whole row.
update rejected_students
set record = record || '{"extension_name": "", "barangay": "", "province": ""}'::jsonb;

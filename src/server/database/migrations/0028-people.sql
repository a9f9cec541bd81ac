-- An office of several persons: what each may do, and of which components; none means all.
alter table admins
  add column role text not null default 'administrator'
    check (role in ('administrator', 'coordinator', 'assistant', 'registrar', 'privacy officer')),
  add column components text[] not null default '{}' check (components <@ array['ROTC', 'CWTS', 'LTS']),
  add constraint admins_scope check (components = '{}' or role in ('coordinator', 'assistant'));

-- Whose they are. The address stays, for what was made before accounts.
alter table imports add column created_by_id uuid references admins (id) on delete set null;
alter table mail_batches add column created_by_id uuid references admins (id) on delete set null;
update imports set created_by_id = admins.id from admins where lower(email) = lower(created_by);
update mail_batches set created_by_id = admins.id from admins where lower(email) = lower(created_by);

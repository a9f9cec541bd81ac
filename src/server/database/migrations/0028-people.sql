-- An office of several persons: what each may do, and of which components; none means all.
alter table admins
  add column role text not null default 'administrator'
    check (role in ('administrator', 'coordinator', 'assistant', 'registrar', 'privacy officer')),
  add column components text[] not null default '{}' check (components <@ array['ROTC', 'CWTS', 'LTS']),
  add constraint admins_scope check (components = '{}' or role in ('coordinator', 'assistant'));

-- An API token belongs to an administrator, and ends with that account.
alter table api_tokens add column created_by_id uuid references admins (id) on delete cascade;
update api_tokens set created_by_id = admins.id from admins where lower(email) = lower(created_by);
delete from api_tokens where created_by_id is null;
alter table api_tokens
  alter column created_by_id set not null,
  drop column created_by;

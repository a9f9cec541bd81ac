-- An entry audit-exception lets entries about several students be checked without them (0043-audit-exception). Only the
-- owner of the trail, who migrates and restores, may write one: the running product could otherwise give itself one where a
-- database has none yet.
create function refuse_audit_exception() returns trigger language plpgsql as $$
begin
  if exists (
    select from pg_class where oid = tg_relid and not pg_has_role(current_user, relowner, 'member')
  ) then
    raise exception 'only the owner of the audit trail notes exceptions' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger audit_exception_of_owner before insert on audit_events
  for each row when (new.action = 'audit-exception') execute function refuse_audit_exception();

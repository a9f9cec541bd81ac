-- Entries of the audit trail are chained in the order of their commits (decision 033): each link's hash covers the one
-- before, so that a changed, removed or inserted entry is found.
create table audit_chain (
  position bigint primary key,
  -- No foreign key: the link outlives its entry.
  event_id uuid not null,
  at timestamptz not null,
  -- SHA-256 of the entry.
  digest bytea not null,
  -- SHA-256 of the previous link's hash and of this link.
  hash bytea not null
);

-- Not the values: they are deleted with their student, and a hash of an address could be guessed.
create function audit_digest(entry audit_events) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(
    entry.id, extract(epoch from entry.at), entry.action, entry.admin_id, entry.actor, entry.client_address,
    entry.user_agent, entry.request_id, entry.student_id, entry.subject, entry.fields, entry.affected, entry.detail,
    (select jsonb_agg(student_id order by student_id) from audit_students where event_id = entry.id)
  )::text, 'UTF8'))
$$;

create function audit_link_hash(previous bytea, digest bytea, at timestamptz) returns bytea language sql immutable as $$
  select sha256(coalesce(previous, '') || digest || convert_to(extract(epoch from at)::text, 'UTF8'))
$$;

create function append_audit_link(entry audit_events) returns void language plpgsql as $$
declare
  own bytea := audit_digest(entry);
  last audit_chain;
begin
  select * into last from audit_chain order by position desc limit 1;
  insert into audit_chain (position, event_id, at, digest, hash)
  values (coalesce(last.position, 0) + 1, entry.id, entry.at, own, audit_link_hash(last.hash, own, entry.at));
end
$$;

-- Runs at the commit, and the lock ends with it: work of minutes with an entry at its start blocks no one.
create function chain_audit_entry() returns trigger language plpgsql security definer as $$
begin
  perform pg_advisory_xact_lock(7191630003);
  perform append_audit_link(new);
  return null;
end
$$;

-- The only way to delete entries for a role that doesn't own the trail. It doesn't rely on the caller's date: entries
-- stay for the months of the settings, by the database's clock. 36 is the settings' default.
create function expire_audit_events(before timestamptz, at_most integer) returns integer
language plpgsql security definer as $$
declare
  months integer := coalesce((select (changed ->> 'auditRetentionMonths')::integer from settings), 36);
  removed integer;
begin
  perform set_config('nstp.retention', 'on', true);
  delete from audit_events where id in (
    select id from audit_events
    where at < least(before, now() - make_interval(months => greatest(months, 1))) order by at limit at_most
  );
  get diagnostics removed = row_count;
  -- One link without its entry remains: the first that has one continues it.
  delete from audit_chain where position < (
    select position - 1 from audit_chain c
    where exists (select from audit_events e where e.id = c.event_id) order by position limit 1
  );
  perform set_config('nstp.retention', 'off', true);
  return removed;
end
$$;

-- A table of the same name in the caller's temporary schema must not be found first.
do $$
declare
  routine text;
begin
  foreach routine in array array['chain_audit_entry()', 'expire_audit_events(timestamptz, integer)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', routine, current_schema());
  end loop;
end
$$;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' and current_setting('nstp.retention', true) = 'on' then
    return old;
  end if;
  raise exception 'the audit trail is not alterable' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_chain_fixed before update or delete on audit_chain
  for each row execute function refuse_audit_change();
create trigger audit_students_fixed before update or delete on audit_students
  for each row execute function refuse_audit_change();
create trigger audit_events_not_emptied before truncate on audit_events
  for each statement execute function refuse_audit_change();
create trigger audit_values_not_emptied before truncate on audit_values
  for each statement execute function refuse_audit_change();
create trigger audit_students_not_emptied before truncate on audit_students
  for each statement execute function refuse_audit_change();
create trigger audit_chain_not_emptied before truncate on audit_chain
  for each statement execute function refuse_audit_change();

do $$
declare
  entry audit_events;
begin
  for entry in select * from audit_events order by at, id loop
    perform append_audit_link(entry);
  end loop;
end
$$;

create constraint trigger audit_events_chained after insert on audit_events deferrable initially deferred
  for each row execute function chain_audit_entry();

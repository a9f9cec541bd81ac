import pg from 'pg'

/**
 * What the product's role may do: everything with rows, except to change the audit trail, the history of enrolments and the
 * calls of attendance (a merge gives them to the other record), or to alter a table. The owner of the tables runs it, after each migration and restore.
 */
export function grantsFor(role: string): string {
  return `do $grants$
    declare
      role text := ${pg.escapeLiteral(role)};
      own regclass;
    begin
      execute format('grant usage on schema %I to %I', current_schema(), role);
      for own in select oid from pg_class where relkind in ('r', 'p')
        and relnamespace = current_schema()::regnamespace and relowner = current_user::regrole
      loop
        execute format('grant select, insert, update, delete, truncate on %s to %I', own, role);
        if current_setting('server_version_num')::integer >= 170000 then
          execute format('grant maintain on %s to %I', own, role);
        end if;
      end loop;
      execute format('revoke update, delete, truncate on audit_events, audit_students, audit_values from %I', role);
      execute format('revoke update, delete, truncate on enrolment_changes, attendance_calls from %I', role);
      execute format('grant update (student_id) on attendance_calls to %I', role);
      execute format('revoke insert, update, delete, truncate on audit_chain, schema_migrations from %I', role);
    end
  $grants$`
}

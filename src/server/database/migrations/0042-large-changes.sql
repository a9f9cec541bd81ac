-- What made changes of thousands of records slow.

-- A connection keeps the plan of its first entry. While the chain was short that plan read all of it for the last link,
-- so that 9,000 entries of one transaction, each of them a link, read it 9,000 times.
alter function chain_audit_entry() set enable_seqscan = off;

-- The words of a record are made again only where an update changed something that the search has. As sets, not joined by
-- record, as in note_students_changed.
create or replace function keep_student_search() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    truncate student_search;
    return null;
  elsif tg_op = 'DELETE' then
    delete from student_search where id = any(array(select id from removed));
    return null;
  elsif tg_op = 'UPDATE' then
    perform from (
      select id, registration_date, archived, archived_date, nstp_component, academic_year, sort_name, course,
        last_name, first_name, middle_name, reference, student_id, email, contact_number, emergency_contact_number,
        guardian_contact_number
      from added
      except
      select id, registration_date, archived, archived_date, nstp_component, academic_year, sort_name, course,
        last_name, first_name, middle_name, reference, student_id, email, contact_number, emergency_contact_number,
        guardian_contact_number
      from removed
    ) changed limit 1;
    if not found then
      return null;
    end if;
  end if;
  insert into student_search as existing select line.* from added, searched(added) line
  on conflict (id) do update set
    registration_date = excluded.registration_date, archived = excluded.archived,
    archived_date = excluded.archived_date, nstp_component = excluded.nstp_component,
    academic_year = excluded.academic_year, sort_name = excluded.sort_name, search_text = excluded.search_text,
    search_codes = excluded.search_codes
  where existing is distinct from excluded;
  return null;
end
$$;

drop trigger students_search_changed on students;
create trigger students_search_changed after update on students
  referencing old table as removed new table as added for each statement execute function keep_student_search();

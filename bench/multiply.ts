// Indexes that no constraint and no function needs: without them a load takes a tenth of the time.
export const listIndexes = `
  select indexname as name, indexdef as definition from pg_indexes
  where tablename in ('students', 'student_search') and indexname not in (
    select conname from pg_constraint where conrelid in ('students'::regclass, 'student_search'::regclass)
    union all select 'student_search_words')`

/** Copies the existing students: names, reference and e-mail address are mixed again, the time of day is shifted. */
export function multiplyStudents(times: number): string {
  return `
    do $$
    declare
      -- Few enough that looking one up takes no time.
      lasts text[] := array(select last_name from students order by id limit 2000);
      firsts text[] := array(select first_name from students order by reference limit 2000);
      copied text := (
        select string_agg(quote_ident(column_name), ', ') from information_schema.columns
        where table_name = 'students' and is_generated = 'NEVER' and column_name not in (
          'id', 'reference', 'registration_date', 'last_name', 'first_name', 'student_id', 'email',
          'submission_key', 'submission_hash')
      );
    begin
      execute format($q$
        insert into students (id, reference, registration_date, last_name, first_name, student_id, email, %1$s)
        select gen_random_uuid(), 'NSTP-' || lpad(to_hex(g), 4, '0') || '-' || lpad(to_hex(n), 8, '0'),
          registration_date - make_interval(secs => (g * 7919) %% 43200),
          $1[1 + (n * 31 + g * 7907) %% 2000], $2[1 + (n * 17 + g * 104729) %% 2000], '', n || 'x' || g || '@school.example',
          %1$s
        from (select *, row_number() over (order by registration_date)::int as n from students) as students,
          lateral generate_series(1, ${times - 1}) as g
      $q$, copied) using lasts, firsts;
    end $$`
}

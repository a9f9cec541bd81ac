-- What a release left behind: read by scripts/keep-release.mjs, and compared after the upgrade.
select
  (select count(*)::int from students) as students,
  (select count(*)::int from student_search) as searchable,
  (select count(*)::int from announcements) as announcements,
  (select count(*)::int from slides) as slides,
  (select count(*)::int from org_nodes) as "orgNodes",
  (select count(*)::int from audit_events where action not like 'backup-%' and action <> 'audit-exception') as "auditEntries",
  (select array_agg(first_name || ' ' || last_name || ' ' || reference order by registration_date, id)
    from (select * from students order by registration_date, id limit 3) first) as people,
  (select array_agg(email || ' ' || role || ' ' || array_to_string(components, ' ') order by email)
    from admins) as accounts,
  (select array_agg(academic_year || ' ' || semester || ' ' || state order by academic_year, semester)
    from terms) as terms,
  (select count(*)::int from sections) as sections,
  (select array_agg(outcome || ' ' || count order by outcome)
    from (select outcome, count(*) from enrolments group by outcome) of_outcome) as enrolments,
  (select count(*)::int from enrolments where official_at is not null) as official,
  (select count(*)::int from enrolment_changes) as "enrolmentChanges",
  (select array_agg(layout || ' ' || state || ' ' || rows order by layout, state)
    from (
      select layout, state, count(paper_rows.student_id) as rows
      from papers left join paper_rows on paper_id = papers.id group by papers.id
    ) of_paper) as papers,
  (select count(*)::int from paper_rows where serial <> '') as serials,
  (select md5(string_agg(cells::text, '' order by paper_id, list, number)) from paper_rows) as cells,
  (select count(*)::int from certificates where student_id is not null) as certificates,
  (select count(*)::int from certificates where revoked_at is not null) as revoked,
  (select min(code) from certificates where revoked_at is null and student_id is not null) as code

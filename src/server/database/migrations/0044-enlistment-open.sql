-- A new portal is open for enlistment, with the sample courses and the academic years around today (decision 045). One
-- that has an administrator keeps what it offers: what it hasn't stored is stored as release 0.2.0 had it.
insert into settings (version, changed) values (1, '{}') on conflict do nothing;
update settings
set changed = jsonb_build_object(
  'enlistment', jsonb_build_object(
    'state', 'closed',
    'opensAt', '',
    'closesAt', '',
    'message', 'Online enlistment is closed at the moment. Please come back later, or ask the NSTP office.'
  ),
  'academicYears', jsonb_build_array('2023-2024', '2024-2025', '2025-2026', '2026-2027', '2027-2028'),
  'courses', jsonb_build_array('SOICT', 'SOBM', 'SOHM', 'SOCJ', 'SOTE')
) || changed
where exists (select from admins);

-- One setting says whether enlistment is open, in place of the maintenance mode and the window. A new portal begins
-- closed; one that is in use stays as it was.
update settings
set changed = (changed - 'maintenance') || jsonb_build_object('enlistment', jsonb_build_object(
  'state', case
    when changed #>> '{maintenance,enabled}' = 'true' then 'closed'
    when concat(changed #>> '{enlistment,opensAt}', changed #>> '{enlistment,closesAt}') = '' then 'open'
    else 'dates'
  end,
  'opensAt', coalesce(changed #>> '{enlistment,opensAt}', ''),
  'closesAt', coalesce(changed #>> '{enlistment,closesAt}', ''),
  'message', coalesce(
    changed #>> '{maintenance,sentence}',
    'Registration is closed for maintenance at the moment. Please come back later.'
  )
))
where changed <> '{}' or exists (select from admins) or exists (select from students);

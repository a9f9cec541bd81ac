-- Two-factor sign-in that the office requires is required.

alter table admins
  -- From then on the account opens only its set-up until it has a second factor. Null where none is required.
  add column second_factor_due timestamptz;
update admins set second_factor_due = now() + interval '7 days'
where exists (select from settings where changed ->> 'twoFactorRequired' = 'true');

-- The setting says of whom.
update settings set changed = changed || jsonb_build_object('twoFactorRequired',
  case when changed ->> 'twoFactorRequired' = 'true' then 'everyone' else 'nobody' end)
where changed ? 'twoFactorRequired';

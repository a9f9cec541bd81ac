-- API tokens end, and can be limited to recipients and to a number of messages.
alter table api_tokens
  add column expires_at timestamptz not null default now() + interval '1 year',
  -- Of the recipients' addresses, without the @; '' for every domain.
  add column domain text not null default '',
  -- Messages a day (UTC); null for any number.
  add column daily_limit integer,
  add column used_on date not null default '2000-01-01',
  -- Messages on that day.
  add column used_count integer not null default 0;

-- OAuth 2 beside the password: an account has what its way of signing in needs.
alter table mail_account
  alter column password drop not null,
  add column sign_in text not null default 'password'
    check (sign_in in ('password', 'microsoft', 'google', 'other')),
  -- Where access tokens come from; '' for a password.
  add column token_endpoint text not null default '',
  add column token_scope text not null default '',
  add column client_id text not null default '',
  -- Encrypted with SECRET_KEY, as the password.
  add column client_secret bytea,
  -- The permission that a person gave; null where it is the app's own. Providers may replace it at any request.
  add column refresh_token bytea,
  add constraint mail_account_secret check (
    case sign_in when 'password' then password is not null else client_secret is not null end
  );

-- After a restore beside another SECRET_KEY: the keys by which who unsubscribed and who was erased is found again, sealed with the
-- SECRET_KEY of here. Empty where they are derived from it.
create table kept_keys (
  only_row boolean primary key default true check (only_row),
  sealed bytea not null
);

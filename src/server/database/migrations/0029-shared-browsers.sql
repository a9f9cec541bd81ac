-- On a shared computer each account that signed in there keeps its known browser.
alter table known_devices drop constraint known_devices_pkey;
alter table known_devices add primary key (token_hash, admin_id);

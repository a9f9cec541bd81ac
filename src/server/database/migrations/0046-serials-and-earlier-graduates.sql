-- No serial number twice, and graduates of the years before this system.

-- Of the serial number of a row that adds or updates a student: why it can't be taken, and what a person has to confirm.
-- Not among `problems`, by which a row has no keys to be compared with.
alter table import_rows
  add column serial_stop text not null default '',
  add column serial_question text not null default '';

alter table credits
  drop constraint credits_ground_check,
  add constraint credits_ground_check check (ground in ('transferee', 'shifter', 'previous degree', 'foreign national',
    'graduated before this system', 'other')),
  -- Of many at once.
  add column batch_id uuid;
create index credits_batch on credits (batch_id) where batch_id is not null;

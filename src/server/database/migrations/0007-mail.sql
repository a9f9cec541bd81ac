-- Outgoing mail: the account, batches, every message, returned mail, opt-outs.

-- No row: e-mail is not configured.
create table mail_account (
  only_row boolean primary key default true check (only_row),
  version integer not null default 1,
  sender_address text not null,
  -- '' for the school's name.
  sender_name text not null default '',
  -- For the sign-in at the mail server; '' for the sender's address.
  user_name text not null default '',
  -- Encrypted with SECRET_KEY.
  password bytea not null,
  host text not null,
  port integer not null,
  -- TLS from the first byte; otherwise STARTTLS is required of every server except this machine's own.
  secure boolean not null,
  -- The server for returned mail; '' for none.
  imap_host text not null default '',
  imap_port integer not null default 993,
  updated_at timestamptz not null
);

-- How far the inbox was read for returned mail.
create table mail_mailbox (
  only_row boolean primary key default true check (only_row),
  -- The account and IMAP's UIDVALIDITY: with another value, last_uid means nothing.
  uid_validity text not null default '',
  last_uid bigint not null default 0,
  checked_at timestamptz,
  -- Why the last reading failed; '' for success.
  failure text not null default '',
  -- The process that reads it until claimed_until.
  claim uuid,
  claimed_until timestamptz
);

create table mail_batches (
  id uuid primary key,
  kind text not null check (kind in ('bulk', 'announcement', 'repeat')),
  -- With placeholders.
  subject text not null,
  -- A template's name, or 'custom' for the text in `body`.
  template text not null,
  body text not null default '',
  body_format text not null default 'text' check (body_format in ('text', 'html')),
  -- paused: no message is sent for now · cancelled: unsent messages are never sent
  state text not null default 'running' check (state in ('running', 'paused', 'cancelled')),
  created_at timestamptz not null,
  -- The administrator's e-mail address, or the token's name.
  created_by text not null,
  -- The audience: { kind: 'list' } or the filters of the students list.
  source jsonb not null,
  announcement_id uuid references announcements (id) on delete set null,
  -- The batch whose failed messages it repeats.
  repeat_of uuid references mail_batches (id) on delete set null,
  recipient_count integer not null,
  -- Left out because of an opt-out.
  opted_out_count integer not null default 0,
  -- Their positions in the list that a program sent, so that its retry gets the same answer without storing addresses.
  opted_out_positions integer[] not null default '{}',
  -- Left out because the address is a repetition, or invalid.
  duplicate_count integer not null default 0,
  invalid_count integer not null default 0,
  -- Identifies one submission of the form by its sender, so that a retry makes no second batch.
  submission_key text unique,
  -- Tells a retry from another mail with the same key.
  submission_hash text
);
-- The batches that repeat one.
create index mail_batches_repeat_of on mail_batches (repeat_of) where repeat_of is not null;
-- The list of batches, newest first.
create index mail_batches_created on mail_batches (created_at desc, id desc);

-- Written in the transaction of its cause.
create table mail_messages (
  id uuid primary key,
  kind text not null check (kind in ('welcome', 'single', 'test', 'bulk', 'announcement')),
  batch_id uuid references mail_batches (id) on delete cascade,
  -- Deleting a record also deletes its mail, sent or not.
  student_id uuid references students (id) on delete cascade,
  recipient text not null,
  subject text not null,
  -- The values of its template, see MailContent in src/server/features/mail/mailer.ts.
  content jsonb not null,
  -- sending: a worker has claimed it until claimed_until · unknown: the server may have accepted it; it is never sent
  -- again automatically
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
  -- 0 comes before 1: mail to one person before bulk mail.
  priority smallint not null,
  created_at timestamptz not null,
  -- Not sent before; a temporary refusal moves it.
  not_before timestamptz not null,
  attempts integer not null default 0,
  claim uuid,
  claimed_until timestamptz,
  -- When the state became final.
  ended_at timestamptz,
  -- Why it was not sent, or not yet: a sentence; '' for no failure.
  failure text not null default '',
  -- The text that the history is searched in. Stored: for 200,000 messages, computing it takes 1 s, reading it 0.1 s.
  search_text text not null generated always as (
    lower(normalize(recipient || E'\n' || subject || E'\n' || coalesce(content -> 'values' ->> 'lastName', '')
      || E'\n' || coalesce(content -> 'values' ->> 'firstName', ''), NFC))
  ) stored
);
-- The next messages to send.
create index mail_messages_queue on mail_messages (priority, not_before, id) where state = 'queued';
-- Messages of a worker that died.
create index mail_messages_claimed on mail_messages (claimed_until) where state = 'sending';
-- Messages of the last minute and day, for the quotas.
create index mail_messages_ended on mail_messages (ended_at, state) where ended_at is not null;
-- A batch's messages in order, and its counts by state.
create index mail_messages_batch on mail_messages (batch_id, id) include (state) where batch_id is not null;
-- A student's messages.
create index mail_messages_student on mail_messages (student_id, created_at desc) where student_id is not null;
-- The history, newest first.
create index mail_messages_created on mail_messages (created_at desc, id desc);
-- may_welcome: the welcome mails of a mailbox. 'juan+1@…' and 'juan+2@…' are the same one.
create index mail_messages_welcome on mail_messages (lower(regexp_replace(recipient, '\+[^@]*@', '@')), created_at)
  where kind = 'welcome';
-- Messages that an administrator has to decide about.
create index mail_messages_unknown on mail_messages (created_at desc, id desc) where state = 'unknown';

-- Whether a mailbox may get another welcome mail: fewer than `most` since an instant. Race: a second call for the
-- mailbox waits for the end of the first one's transaction; its count is a separate statement, so it sees that message.
create function may_welcome(address text, since timestamptz, most integer) returns boolean
language plpgsql volatile as $$
declare
  mailbox constant text := lower(regexp_replace(address, '\+[^@]*@', '@'));
begin
  perform pg_advisory_xact_lock(hashtextextended('welcome mail to ' || mailbox, 0));
  return most > (
    select count(*) from mail_messages
    where kind = 'welcome' and lower(regexp_replace(recipient, '\+[^@]*@', '@')) = mailbox and created_at > since
  );
end
$$;

-- Returned messages.
create table mail_bounces (
  id uuid primary key,
  message_id uuid references mail_messages (id) on delete cascade,
  student_id uuid references students (id) on delete cascade,
  recipient text not null,
  received_at timestamptz not null,
  -- RFC 3463, such as '5.1.1': 5 is permanent, 4 temporary.
  status text not null,
  diagnostic text not null default '',
  -- When an administrator marked it as resolved.
  resolved_at timestamptz,
  -- The message's number in the mailbox, so that it is stored once.
  mailbox_uid text not null unique
);
-- The list of addresses to correct.
create index mail_bounces_open on mail_bounces (received_at desc, id desc) where resolved_at is null;
-- Merging a student's records, and deletion of one.
create index mail_bounces_student on mail_bounces (student_id) where student_id is not null;
-- Deletion of a message.
create index mail_bounces_message on mail_bounces (message_id) where message_id is not null;

-- Students who want no announcements by mail. The SHA-256 of the address in lower case, so that the opt-out outlives
-- the record.
create table mail_opt_outs (
  address_hash bytea primary key,
  opted_out_at timestamptz not null
);

-- Outgoing mail: the account, batches, the ledger of every message, what came back; and tokens for other programs.

-- The account that mail is sent by. No row: e-mail is not configured.
create table mail_account (
  only_row boolean primary key default true check (only_row),
  version integer not null default 1,
  sender_address text not null,
  -- '' for the school's name.
  sender_name text not null default '',
  -- Who signs in at the mail server; '' for the sender's address.
  user_name text not null default '',
  -- Sealed with SECRET_KEY.
  password bytea not null,
  host text not null,
  port integer not null,
  -- TLS from the first byte; else STARTTLS is demanded of every server but this machine's own.
  secure boolean not null,
  -- Where messages that came back are read; '' for nowhere.
  imap_host text not null default '',
  imap_port integer not null default 993,
  updated_at timestamptz not null
);

-- How far the mailbox was read, and with what success.
create table mail_mailbox (
  only_row boolean primary key default true check (only_row),
  -- Whose mailbox it was, and its own word for whether the numbers of its messages still count.
  uid_validity text not null default '',
  last_uid bigint not null default 0,
  checked_at timestamptz,
  -- Why it could not be read the last time; '' when it could.
  failure text not null default '',
  -- The process that reads it has it until then.
  claim uuid,
  claimed_until timestamptz
);

create table mail_batches (
  id uuid primary key,
  kind text not null check (kind in ('bulk', 'announcement', 'repeat')),
  -- With placeholders, as they were typed.
  subject text not null,
  -- A stored template's name, or 'custom': then `body` is the text.
  template text not null,
  body text not null default '',
  body_format text not null default 'text' check (body_format in ('text', 'html')),
  -- paused: nothing of it goes out · cancelled: what had not gone out never will
  state text not null default 'running' check (state in ('running', 'paused', 'cancelled')),
  created_at timestamptz not null,
  -- The administrator's e-mail address, or the token's name.
  created_by text not null,
  -- Whom it was for, in the words of the screens: { kind: 'list' } or the students' filters.
  source jsonb not null,
  announcement_id uuid references announcements (id) on delete set null,
  -- The batch whose failed messages it sends again.
  repeat_of uuid references mail_batches (id) on delete set null,
  recipient_count integer not null,
  -- Left out because they did not want announcements by mail.
  opted_out_count integer not null default 0,
  -- Left out because the same address came before, or because it is none.
  duplicate_count integer not null default 0,
  invalid_count integer not null default 0,
  -- Tells one sending of the form from the next, so that a retry makes no second batch: made from its sender and key.
  submission_key text unique,
  -- Tells a retry from another mail with the same key.
  submission_hash text
);
create index mail_batches_repeat_of on mail_batches (repeat_of) where repeat_of is not null;
create index mail_batches_created on mail_batches (created_at desc, id desc);

-- Every message, written in the transaction of its cause.
create table mail_messages (
  id uuid primary key,
  kind text not null check (kind in ('welcome', 'single', 'test', 'bulk', 'announcement')),
  batch_id uuid references mail_batches (id) on delete cascade,
  -- With the record its mail goes: what is erased is not written to.
  student_id uuid references students (id) on delete cascade,
  recipient text not null,
  subject text not null,
  -- What its template is filled with, see src/server/mail/mail-content.ts.
  content jsonb not null,
  -- sending: a worker has it until claimed_until · unknown: it may have been accepted, and is never sent again by itself
  state text not null default 'queued'
    check (state in ('queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
  -- 0 goes before 1: what one person waits for before what thousands get.
  priority smallint not null,
  created_at timestamptz not null,
  -- Not tried before; later with each temporary refusal.
  not_before timestamptz not null,
  attempts integer not null default 0,
  claim uuid,
  claimed_until timestamptz,
  -- When the state became final.
  ended_at timestamptz,
  -- Why it was not sent, or not yet: a sentence; '' for nothing.
  failure text not null default '',
  -- What the history is searched in. Kept ready: to make it of 200,000 messages takes a second, to read it a tenth.
  search_text text not null generated always as (
    lower(normalize(recipient || E'\n' || subject || E'\n' || coalesce(content -> 'values' ->> 'lastName', '')
      || E'\n' || coalesce(content -> 'values' ->> 'firstName', ''), NFC))
  ) stored
);
-- What is sent next.
create index mail_messages_queue on mail_messages (priority, not_before, id) where state = 'queued';
-- What a worker that died has left.
create index mail_messages_claimed on mail_messages (claimed_until) where state = 'sending';
-- What ended within the last minute and day, for the quotas.
create index mail_messages_ended on mail_messages (ended_at, state) where ended_at is not null;
-- A batch in the order of its list, and how its messages stand.
create index mail_messages_batch on mail_messages (batch_id, id) include (state) where batch_id is not null;
create index mail_messages_student on mail_messages (student_id, created_at desc) where student_id is not null;
-- The history, newest first.
create index mail_messages_created on mail_messages (created_at desc, id desc);
-- The welcome mails of a mailbox: 'juan+1@…' and 'juan+2@…' are one.
create index mail_messages_welcome on mail_messages (lower(regexp_replace(recipient, '\+[^@]*@', '@')), created_at)
  where kind = 'welcome';
-- What somebody must decide about.
create index mail_messages_unknown on mail_messages (created_at desc, id desc) where state = 'unknown';

-- Messages that came back.
create table mail_bounces (
  id uuid primary key,
  message_id uuid references mail_messages (id) on delete cascade,
  student_id uuid references students (id) on delete cascade,
  recipient text not null,
  received_at timestamptz not null,
  -- RFC 3463: '5.1.1'. 5 is for good, 4 for now.
  status text not null,
  diagnostic text not null default '',
  -- When somebody said that it is seen to.
  resolved_at timestamptz,
  -- The mailbox's own number of the message, so that it is taken in once.
  mailbox_uid text not null unique
);
create index mail_bounces_open on mail_bounces (received_at desc, id desc) where resolved_at is null;
create index mail_bounces_student on mail_bounces (student_id) where student_id is not null;
create index mail_bounces_message on mail_bounces (message_id) where message_id is not null;

-- Who wants no announcements by mail: the SHA-256 of the address in lower case, so that the wish outlives the record.
create table mail_opt_outs (
  address_hash bytea primary key,
  opted_out_at timestamptz not null
);

-- An announcement that is mailed when it is published, to a component or, with '', to all; null for no mail.
alter table announcements
  add column mail_to text,
  add column mailed_at timestamptz,
  -- Why it was not mailed when it was due: a sentence; then it is mailed only when somebody says so. '' for nothing.
  add column mail_problem text not null default '';
create index announcements_to_mail on announcements (published_at)
  where mail_to is not null and mailed_at is null and mail_problem = '';

-- What other programs show to send mail.
create table api_tokens (
  id uuid primary key,
  name text not null,
  -- SHA-256: the token itself is shown once.
  token_hash bytea not null unique,
  -- Its first characters, to tell tokens apart.
  prefix text not null,
  created_at timestamptz not null,
  created_by text not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);

-- Whether a mailbox may have another welcome mail: fewer than so many since an instant. Whoever asks for the same address
-- meanwhile waits for the end of this transaction; the count is a statement of its own, so it sees what that one wrote.
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

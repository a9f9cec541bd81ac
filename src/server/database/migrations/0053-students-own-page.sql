-- The page /my of a student: how one gets in, and what one asks the office for.

-- The reference codes of records that were merged into another one open that one.
create table former_references (
  reference text primary key,
  student_id uuid not null references students (id) on delete cascade
);
create index former_references_student on former_references (student_id);

create table student_sessions (
  -- SHA-256 of the cookie's token.
  token_hash bytea primary key,
  student_id uuid not null references students (id) on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- When the second step was made; null: the session shows words alone.
  opened_at timestamptz
);
create index student_sessions_student on student_sessions (student_id);
create index student_sessions_created on student_sessions (created_at);

-- What makes the second step.
create table student_keys (
  student_id uuid primary key references students (id) on delete cascade,
  -- SHA-256 of the code on the slip.
  slip_hash bytea,
  slip_made_at timestamptz,
  -- The last mailed code: its digits are derived from this id and SECRET_KEY. It is also the id of its message.
  code_id uuid,
  code_tries smallint not null default 0,
  -- Codes go to a new address after some days, and at once to the one before, of which this is the SHA-256.
  email_changed_at timestamptz,
  email_before bytea,
  check ((slip_hash is null) = (slip_made_at is null))
);

-- Wrong entries of a reference and a birth date, by network and by the typed code, whether there is such a code or not.
create table reference_misses (
  -- 'network:' or 'code:', and a hash.
  subject text primary key,
  -- Since `since`, within the window of the limit.
  misses integer not null,
  since timestamptz not null,
  -- Since the last right entry.
  total integer not null,
  last_at timestamptz not null
);
create index reference_misses_last on reference_misses (last_at);

create table student_requests (
  id uuid primary key,
  student_id uuid not null references students (id) on delete cascade,
  kind text not null check (kind in ('correction', 'component', 'copy', 'blocking', 'erasure')),
  asked_at timestamptz not null,
  -- Of a correction and a component: the field, its value then and the wanted one. Personal.
  changes jsonb not null default '{}',
  reason text not null default '',
  -- Of the page when it was asked, and so of the mail about the decision.
  language text not null default 'en' check (language in ('en', 'fil')),
  state text not null default 'open' check (state in ('open', 'granted', 'refused', 'withdrawn')),
  -- Of a correction: the fields that were accepted.
  granted text[] not null default '{}',
  -- The office's sentence.
  answer text not null default '',
  decided_at timestamptz,
  decided_by_id uuid references admins (id) on delete set null,
  -- Of a copy, blocking and erasure: the request of the screen Privacy, which has the dates of the law.
  privacy_request_id uuid references privacy_requests (id),
  version integer not null default 1,
  check ((state = 'open') = (decided_at is null))
);
create index student_requests_student on student_requests (student_id, asked_at);
create index student_requests_open on student_requests (asked_at, id) where state = 'open';
create index student_requests_decided on student_requests (decided_at desc, id) where state <> 'open';
create unique index student_requests_privacy on student_requests (privacy_request_id);

-- 'withdrawn': a student took it back at /my.
alter table privacy_requests drop constraint privacy_requests_outcome_check;
alter table privacy_requests add constraint privacy_requests_outcome_check
  check (outcome in ('granted', 'refused', 'withdrawn'));

-- Ends the sessions of a record, and with another address its mailed code. `merged_ids` changes when another record is merged
-- into this one, and when that is undone.
create function end_student_sessions() returns trigger language plpgsql as $$
declare
  -- An address in other letters is the same one, and a first address comes after none.
  former bytea := case when old.email <> '' then sha256(convert_to(lower(old.email), 'UTF8')) end;
  wanted bytea := sha256(convert_to(lower(new.email), 'UTF8'));
  -- As long as codes wait for a new address (codeLimits).
  recent timestamptz := now() - interval '7 days';
begin
  delete from student_sessions where student_id = new.id;
  if lower(new.email) is distinct from lower(old.email) then
    insert into student_keys as keys (student_id, email_changed_at, email_before)
    values (new.id, case when former is not null then now() end, former)
    on conflict (student_id) do update set
      code_id = null,
      email_changed_at = case
        when keys.email_changed_at > recent and keys.email_before = wanted then null
        when former is null then keys.email_changed_at
        else now()
      end,
      -- Of several changes in a short time: the address before the first.
      email_before = case
        when former is null or keys.email_changed_at > recent then keys.email_before
        else former
      end;
  end if;
  return null;
end
$$;
create trigger students_end_sessions after update of email, restriction, merged_ids on students for each row
  when (new.email is distinct from old.email or new.restriction is distinct from old.restriction
    or new.merged_ids is distinct from old.merged_ids)
  execute function end_student_sessions();

-- 'code': the mailed code of the second step.
alter table mail_messages drop constraint mail_messages_kind_check;
alter table mail_messages add constraint mail_messages_kind_check
  check (kind in ('welcome', 'single', 'test', 'bulk', 'announcement', 'code'));

-- One mailbox of several spellings: 'juan+1@…' is 'juan@…', and for Gmail 'j.u.a.n@googlemail.com' is 'juan@gmail.com'.
create function mailbox_of(address text) returns text language sql immutable parallel safe as $$
  select case when address ~* '@(gmail|googlemail)\.com$'
    then replace(split_part(split_part(lower(address), '@', 1), '+', 1), '.', '') || '@gmail.com'
    else lower(regexp_replace(address, '\+[^@]*@', '@')) end
$$;

-- may_welcome: the welcome mails of a mailbox.
drop index mail_messages_welcome;
create index mail_messages_welcome on mail_messages (mailbox_of(recipient), created_at) where kind = 'welcome';

-- As in 0007, by the mailbox.
create or replace function may_welcome(address text, since timestamptz, most integer) returns boolean
language plpgsql volatile as $$
declare
  mailbox constant text := mailbox_of(address);
begin
  perform pg_advisory_xact_lock(hashtextextended('welcome mail to ' || mailbox, 0));
  return most > (
    select count(*) from mail_messages
    where kind = 'welcome' and mailbox_of(recipient) = mailbox and created_at > since
  );
end
$$;

comment on column mail_messages.priority is
  '-1: mail that a person wrote to one other · 0: welcome mail, at most half of the day''s · 1: bulk mail';

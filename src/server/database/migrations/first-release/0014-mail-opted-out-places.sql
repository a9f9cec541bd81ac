-- Who of a list was left out for having opted out: by their places in it, so that a retry of a program is answered as it
-- was first, and no address is kept of somebody who wants no mail.
alter table mail_batches add column opted_out_positions integer[] not null default '{}';

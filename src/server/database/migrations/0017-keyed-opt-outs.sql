-- Opt-outs become HMACs: the start of the product, which has the key, replaces the hashes without a mark.
alter table mail_opt_outs add column key_mark bytea;

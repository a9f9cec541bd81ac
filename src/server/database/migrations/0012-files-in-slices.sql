-- Files are read in slices, which compressed storage can't give without unpacking what comes before.
-- Uploads are mostly compressed formats already.

alter table files alter column bytes set storage external;

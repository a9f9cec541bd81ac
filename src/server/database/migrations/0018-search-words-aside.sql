-- The words of new records wait in a list of their index. At 4 MB, some 1,600 records, the enlistment that filled it
-- added them all, which took 0.1 s: now the product does so each second, and the list has room for what arrives
-- meanwhile. In kB.
alter index student_search_words set (gin_pending_list_limit = 16384);

-- Only the index's owner may, which the product isn't.
create function add_search_words() returns bigint language sql security definer set search_path from current
  return gin_clean_pending_list('student_search_words');

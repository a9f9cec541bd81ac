-- The order of the archived students: who was archived last stands first. It also holds what that list filters
-- by, as the indexes of the list's usual orders do. A registration, which is never archived, doesn't touch it.
create index students_archived on students (archived_date desc, id desc)
  include (archived, nstp_component, academic_year, registration_date, search_text)
  where archived;

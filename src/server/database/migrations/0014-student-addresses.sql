-- Whose address a recipient of a list, or of a message that came back, is.
create index students_address on students (lower(email));

-- Why marks of a closed term change. It stood in the column of the letter.
alter table imports add column reason text not null default '';
update imports set reason = reference, reference = '' where purpose = 'marks';

// A test compares these lists with the migrated database.

export const backedUpTables: readonly string[] = [
  'admins',
  'second_factors',
  'recovery_codes',
  'settings',
  'files',
  'announcements',
  'slides',
  'org_nodes',
  'imports',
  'import_rows',
  'students',
  'mail_account',
  'mail_batches',
  'mail_messages',
  'mail_bounces',
  'mail_opt_outs',
  'different_students',
  'audit_events',
  'audit_students',
  'audit_values',
]

// With the reason.
export const leftOutTables: Readonly<Record<string, string>> = {
  schema_migrations: 'the header names the migrations, and restoring applies them',
  sessions: 'who was signed in then is not signed in now',
  known_devices: 'a device shows again that it knows the password',
  sign_in_failures: 'pauses of a time that has passed',
  mail_mailbox: 'how far the mailbox was read: it is read anew, and what is known is not taken in twice',
  api_tokens: 'what opened doors then opens none now: new tokens are made',
  student_search: 'derived from the students: restoring fills it',
  student_counts: 'derived from the students: restoring counts them',
  student_count_changes: 'what the counts lack; they are counted anew',
  student_count_state: 'of the counts',
  student_name_marks: 'of the counts',
  topics: 'versions of live updates: restoring raises those of the database that it replaces',
}

export const ownTables: readonly string[] = [...backedUpTables, ...Object.keys(leftOutTables)]

export const ownFunctions: readonly string[] = [
  'refuse_audit_change',
  'note_students_added',
  'note_students_removed',
  'note_students_changed',
  'forget_student_counts',
  'may_welcome',
  'searchable',
  'searched',
  'keep_student_search',
  'clear_rows_of_deleted_students',
]

import type { Queryable } from '#server/database/schema.ts'
import { studentMailLimit } from '#shared/student-mail.ts'

/** What is read of a student and the student's mail. */
export function createStudentMailRepository(db: Queryable) {
  return {
    /** Whom a welcome mail greets. Index: students_pkey. */
    async findStudent(id: string) {
      return await db
        .selectFrom('students')
        .select(['id', 'reference', 'email', 'firstName', 'lastName', 'nstpComponent'])
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /** The newest first. Index: mail_messages_student. */
    async listMessages(studentId: string) {
      return await db
        .selectFrom('mailMessages')
        .select(['id', 'kind', 'subject', 'recipient', 'state', 'createdAt', 'endedAt', 'failure'])
        .where('studentId', '=', studentId)
        .orderBy('createdAt', 'desc')
        .limit(studentMailLimit)
        .execute()
    },
  }
}

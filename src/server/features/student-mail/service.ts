import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/errors.ts'
import type { MailOutcome } from '#server/mail/mailer.ts'
import type { StudentMail } from '#shared/student-mail.ts'
import type { Topic } from '#shared/topics.ts'
import type { OptOutService } from '../mail-opt-out/service.ts'
import type { WelcomeMailService } from '../welcome-mail/service.ts'
import { createStudentMailRepository } from './repository.ts'

interface StudentMailOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  publish: (topic: Topic) => void
  audit: Audit
  optOuts: Pick<OptOutService, 'leftOut' | 'change'>
  welcomes: Pick<WelcomeMailService, 'send'>
}

export type StudentMailService = ReturnType<typeof createStudentMailService>

/** The mail of one student, as the coordinator sees it. */
export function createStudentMailService(options: StudentMailOptions) {
  const { database, publish, audit, optOuts, welcomes } = options
  const repository = createStudentMailRepository(database.db)

  async function studentOf(id: string) {
    const student = await repository.findStudent(id)
    if (!student) throw new AppError('not_found')
    return student
  }

  async function read(id: string): Promise<StudentMail> {
    const { email } = await studentOf(id)
    const [out, messages] = await Promise.all([
      optOuts.leftOut(database.db, [email]),
      repository.listMessages(id),
    ])
    return {
      optedOut: out.has(email),
      messages: messages.map(({ createdAt, endedAt, ...message }) => ({
        ...message,
        createdAt: createdAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      })),
    }
  }

  return {
    /** @throws AppError `not_found` */
    read,

    /** Notes whether the student's address gets announcements. @throws AppError `not_found` */
    async changeAnnouncements(id: string, announcements: boolean, actor: Actor): Promise<StudentMail> {
      const { email, reference } = await studentOf(id)
      const isChanged = await database.transact(async (tx) => {
        if (!(await optOuts.change(tx, email, announcements))) return false
        await audit.record(tx, {
          action: 'mail-opt-out-changed',
          actor,
          studentId: id,
          subject: reference,
          detail: { announcements },
        })
        return true
      })
      if (isChanged) publish('mail')
      return await read(id)
    },

    /** Sends the welcome mail once more. @throws AppError `not_found`, and as the welcome mail's `send` */
    async resendWelcome(id: string, actor: Actor): Promise<MailOutcome> {
      const { email, reference, firstName, lastName, nstpComponent } = await studentOf(id)
      const values = { firstName, lastName, nstpComponent, reference }
      return await welcomes.send({ email, values, student: { id, reference } }, actor)
    },
  }
}

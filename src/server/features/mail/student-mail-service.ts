import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import { commitChange, mustExist } from '#server/lib/change.ts'
import type { MailOutcome } from './mailer.ts'
import { findMailedStudent, messagesOfStudent } from './messages-repository.ts'
import type { OptOutService } from './opt-outs-service.ts'
import type { MailContext } from './queue-service.ts'
import type { WelcomeMailService } from './welcome-service.ts'

interface StudentMailOptions extends Omit<MailContext, 'mailer'> {
  optOuts: Pick<OptOutService, 'optedOutAmong' | 'change'>
  welcomes: Pick<WelcomeMailService, 'send'>
}

export type StudentMailService = ReturnType<typeof createStudentMailService>

export function createStudentMailService(options: StudentMailOptions) {
  const { database, audit, optOuts, welcomes } = options

  const studentOf = async (id: string, access: Access) =>
    mustExist(await findMailedStudent(database.db, id, access))

  async function read(id: string, access: Access) {
    const { email } = await studentOf(id, access)
    const [optedOut, messages] = await Promise.all([
      optOuts.optedOutAmong(database.db, [email]),
      access.can('mail') ? messagesOfStudent(database.db, id) : [],
    ])
    return { optedOut: optedOut.has(email), messages }
  }

  return {
    async list(id: string, actor: Staff) {
      const { reference } = await studentOf(id, actor.access)
      const entry = { action: 'mail-listed', actor, studentId: id, subject: reference } as const
      await audit.recordView(database.db, entry)
      return await read(id, actor.access)
    },

    async changeAnnouncements(id: string, announcements: boolean, actor: Staff) {
      const { email, reference } = await studentOf(id, actor.access)
      await commitChange(options, 'mail', async (tx, record) => {
        if (!(await optOuts.change(tx, email, announcements))) return
        const detail = { announcements }
        await record({ action: 'mail-opt-out-changed', actor, studentId: id, subject: reference, detail })
      })
      return await read(id, actor.access)
    },

    async resendWelcome(id: string, actor: Staff): Promise<MailOutcome> {
      const { email, reference, firstName, lastName, nstpComponent } = await studentOf(id, actor.access)
      const values = { firstName, lastName, nstpComponent, reference }
      return await welcomes.send({ email, values, student: { id, reference } }, actor)
    },
  }
}

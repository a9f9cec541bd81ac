import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import { commitChange, mustExist } from '#server/lib/change.ts'
import type { MailContext } from './mail-context.ts'
import type { MailOutcome } from './mailer.ts'
import { createMessagesRepository, findMailedStudent } from './messages-repository.ts'
import { presentMessage } from './messages-service.ts'
import type { WelcomeMailService } from './welcome-service.ts'

export type StudentMailService = ReturnType<typeof createStudentMailService>

export function createStudentMailService(context: MailContext, welcomes: Pick<WelcomeMailService, 'send'>) {
  const { database, audit, optOuts } = context

  const studentOf = async (id: string, access: Access) =>
    mustExist(await findMailedStudent(database.db, id, access))

  async function read(id: string, access: Access) {
    const { email } = await studentOf(id, access)
    const [optedOut, messages] = await Promise.all([
      optOuts.optedOutAmong(database.db, [email]),
      access.can('mail') ? createMessagesRepository(database.db).ofStudent(id) : [],
    ])
    return { optedOut: optedOut.has(email), messages: messages.map(presentMessage) }
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
      await commitChange(context, 'mail', async (tx, record) => {
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

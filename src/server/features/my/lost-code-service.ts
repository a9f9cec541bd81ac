import type { CodeMailService } from '#server/features/mail/code-service.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { sleep } from '#server/lib/scheduler.ts'
import type { Language } from '#shared/site/language.ts'
import { findLostRecords, type LostOwner } from './entry-repository.ts'

// ms: the same for all. Security: the answer doesn't wait for the mail, whose time would say whether there is a record.
const answerMs = 500

/** Mails the codes of whoever has the name, the birth date and the address. The answer and its time say nothing of it. */
export function createLostCodes({
  database,
  log,
  mail,
}: Pick<AppContext, 'database' | 'log'> & { mail: CodeMailService }) {
  async function send(owner: LostOwner, language: Language): Promise<void> {
    const isSent = await database.transact(async (tx) => {
      const [newest, ...others] = await findLostRecords(tx, owner)
      if (!newest) return false
      const { id: studentId, email } = newest
      const ids = [newest, ...others].map(({ id }) => id)
      await mail.enqueueLost(tx, ids, { studentId, email, language })
      return true
    })
    if (isSent) mail.wake()
  }

  return async (owner: LostOwner, language: Language): Promise<void> => {
    send(owner, language).catch((error: unknown) => log.error({ err: error }, 'a lost code was not mailed'))
    await sleep(answerMs)
  }
}

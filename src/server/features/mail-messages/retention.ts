import type { Clock } from '#server/clock.ts'
import type { Queryable } from '#server/database/schema.ts'
import { monthsBefore } from '#server/months-before.ts'
import { createMailRetentionRepository } from './retention-repository.ts'

/** Rows that one statement deletes: each stays well below a statement's time. */
const deletedAtOnce = 5_000

interface MailRetentionOptions {
  db: Queryable
  clock: Clock
  /** How long mail is kept, in months, like the audit trail; asked each time, because settings may change it. */
  months: () => number
}

/** Makes the function that removes mail that is older than the settings keep it. Gives how many messages. */
export function createMailRetention({ db, clock, months }: MailRetentionOptions) {
  return async (): Promise<number> => {
    const before = monthsBefore(clock(), months())
    const { deleteMessages, deleteBatches, deleteBounces } = createMailRetentionRepository(db)
    const messages = await inPieces((limit) => deleteMessages(before, limit))
    // After their messages: what still waits keeps its bulk e-mail.
    await inPieces((limit) => deleteBatches(before, limit))
    await inPieces((limit) => deleteBounces(before, limit))
    return messages
  }
}

async function inPieces(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  let all = 0
  for (let deleted = deletedAtOnce; deleted === deletedAtOnce; all += deleted) {
    deleted = await deleteSome(deletedAtOnce)
  }
  return all
}

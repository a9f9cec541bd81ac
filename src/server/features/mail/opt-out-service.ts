import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { type AnnouncementChoice, optOutSentences } from '#shared/mail/mail-opt-out.ts'
import type { Topic } from '#shared/topics.ts'
import { createOptOutRepository } from './announcement-repository.ts'
import { createUnwantedRepository } from './queue-repository.ts'
import type { UnsubscribeTokens } from './rendering/unsubscribe-tokens.ts'

interface OptOutServiceOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  tokens: Pick<UnsubscribeTokens, 'addressOf'>
}

export type OptOutService = ReturnType<typeof createOptOutService>

/**
 * Who wants no announcements by mail. The wish is an address's and outlives the record; whether anybody has that address is
 * never told.
 */
export function createOptOutService({ database, clock, publish, tokens }: OptOutServiceOptions) {
  const { db } = database

  function addressOf(token: string): string {
    const address = tokens.addressOf(token)
    if (address === null) throw new AppError('not_found', { detail: optOutSentences.unknownLink })
    return address
  }

  async function change(tx: Queryable, address: string, announcements: boolean): Promise<boolean> {
    const repository = createOptOutRepository(tx)
    if (announcements) return await repository.remove(address)
    const now = clock()
    await createUnwantedRepository(tx).cancelForMany(address, now, mailDecisionSentences.optedOut)
    return await repository.add(address, now)
  }

  async function choiceOf(address: string): Promise<AnnouncementChoice> {
    const isOut = (await createOptOutRepository(db).leftOut([address])).has(address)
    return { address: disguised(address), announcements: !isOut }
  }

  return {
    /**
     * Those of the addresses that are left out of what goes to many, as they were given.
     *
     * @param tx the transaction of what is sent, or the database
     */
    leftOut: (tx: Queryable, addresses: readonly string[]): Promise<Set<string>> =>
      createOptOutRepository(tx).leftOut(addresses),

    /**
     * Notes a wish, in the transaction of its cause, and cancels what waits for who wants no more; whoever calls publishes 'mail' after the commit.
     *
     * @returns whether it is another than before
     */
    change,

    /** The wish behind an unsubscribe link. @throws AppError `not_found` for a link that we did not make */
    byToken: async (token: string): Promise<AnnouncementChoice> => await choiceOf(addressOf(token)),

    /** Changes it. @throws AppError `not_found` for a link that we did not make */
    async changeByToken(token: string, announcements: boolean): Promise<AnnouncementChoice> {
      const address = addressOf(token)
      if (await database.transact((tx) => change(tx, address, announcements))) publish('mail')
      return { address: disguised(address), announcements }
    },
  }
}

/** Enough to recognise one's own address by: 'a…@example.com'. Links are forwarded. */
function disguised(address: string): string {
  return `${[...address][0] ?? ''}…${address.slice(address.lastIndexOf('@'))}`
}

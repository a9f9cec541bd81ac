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

/** The opt-out belongs to the address and outlives the record. Security: never reveals whether an address is registered. */
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
    /** @param tx the transaction of the mail, or the database */
    leftOut: (tx: Queryable, addresses: readonly string[]): Promise<Set<string>> =>
      createOptOutRepository(tx).leftOut(addresses),

    /**
     * Cancels queued mail in the same transaction. The caller publishes 'mail' after the commit.
     * @returns whether it changed
     */
    change,

    /** @throws AppError `not_found` for a link that we did not make */
    byToken: async (token: string): Promise<AnnouncementChoice> => await choiceOf(addressOf(token)),

    /** @throws AppError `not_found` for a link that we did not make */
    async changeByToken(token: string, announcements: boolean): Promise<AnnouncementChoice> {
      const address = addressOf(token)
      if (await database.transact((tx) => change(tx, address, announcements))) publish('mail')
      return { address: disguised(address), announcements }
    },
  }
}

/** Security: links are forwarded, so the address is masked: 'a…@example.com'. */
function disguised(address: string): string {
  return `${[...address][0] ?? ''}…${address.slice(address.lastIndexOf('@'))}`
}

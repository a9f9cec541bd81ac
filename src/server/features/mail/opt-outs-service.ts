import type { Queryable } from '#server/database/schema.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { mustExist } from '#server/lib/change.ts'
import type { KeptKeys } from '#server/lib/kept-keys.ts'
import { optOutSentences } from '#shared/mail/mail-history.ts'
import type { AnnouncementChoice } from '#shared/mail/mail-response.ts'
import { createOptOutHash, createOptOutRepository, keyOptOuts } from './opt-outs-repository.ts'
import { createCancellationsRepository } from './queue-repository.ts'
import type { UnsubscribeTokens } from './rendering/renderer.ts'

export type OptOutService = ReturnType<typeof createOptOutService>

/** Whether announcements to an address were stopped. */
export async function hasOptedOut(db: Queryable, keys: KeptKeys, address: string): Promise<boolean> {
  return (await createOptOutRepository(db, createOptOutHash(keys)).optedOutAmong([address])).size > 0
}

/** The opt-out belongs to the address and outlives the record. Security: never reveals whether an address is registered. */
export function createOptOutService(
  { database, clock, publish, keptKeys, log }: AppContext,
  tokens: Pick<UnsubscribeTokens, 'addressOf'>,
) {
  const hash = createOptOutHash(keptKeys)

  const addressOf = (token: string) => mustExist(tokens.addressOf(token), optOutSentences.unknownLink)

  async function change(tx: Queryable, address: string, announcements: boolean): Promise<boolean> {
    const repository = createOptOutRepository(tx, hash)
    if (announcements) return await repository.remove(address)
    const now = clock()
    await createCancellationsRepository(tx).ofAddress(address, now)
    return await repository.add(address, now)
  }

  return {
    hash,

    async load() {
      const lost = await keyOptOuts(database.db, hash)
      if (lost > 0) log.warn({ count: lost }, 'opt-outs made with another SECRET_KEY are not known')
    },

    /** @param tx the transaction of the mail, or the database */
    optedOutAmong: (tx: Queryable, addresses: readonly string[]): Promise<Set<string>> =>
      createOptOutRepository(tx, hash).optedOutAmong(addresses),

    /**
     * Cancels queued mail in the same transaction. The caller publishes 'mail' after the commit.
     * @returns whether it changed
     */
    change,

    async byToken(token: string): Promise<AnnouncementChoice> {
      const address = addressOf(token)
      const optedOut = await createOptOutRepository(database.db, hash).optedOutAmong([address])
      return { address: masked(address), announcements: !optedOut.has(address) }
    },

    async changeByToken(token: string, announcements: boolean): Promise<AnnouncementChoice> {
      const address = addressOf(token)
      if (await database.transact((tx) => change(tx, address, announcements))) publish('mail')
      return { address: masked(address), announcements }
    },
  }
}

/** Security: links are forwarded, so the address is masked: 'a…@example.com'. */
function masked(address: string): string {
  return `${[...address][0] ?? ''}…${address.slice(address.lastIndexOf('@'))}`
}

import { randomBytes } from 'node:crypto'
import { v7 as createId } from 'uuid'
import type { BearerToken, SignedInAdmin } from '#server/http/context.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type ChangeContext, commitChange, mustExist } from '#server/lib/change.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { apiTokenLimits, apiTokenSentences, type NewApiToken } from '#shared/auth/api-tokens.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createApiTokensRepository } from './api-token-repository.ts'
import { before, hasEnded, sessionLimits, setUpOf } from './session-cookies.ts'

const dayMs = 24 * 60 * 60 * 1000

export function createApiTokensService(context: ChangeContext & Pick<AppContext, 'timeZone'>) {
  const { database, clock, timeZone } = context
  const repository = createApiTokensRepository(database.db)

  return {
    list: repository.list,

    // The token itself is shown only this once.
    async make({ name, days, ...limits }: NewApiToken, admin: SignedInAdmin, actor: Actor) {
      const secret = secretOf(mark + randomBytes(secretBytes).toString('base64url'))
      const now = clock()
      const expiresAt = new Date(now.getTime() + days * dayMs)
      const row = await commitChange(context, 'mail-account', async (tx, record) => {
        const tokens = createApiTokensRepository(tx)
        await tokens.lock()
        const inUse = await tokens.list()
        if (inUse.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
          throw invalid('name', apiTokenSentences.nameTaken)
        }
        if (inUse.length >= apiTokenLimits.tokens) throw new AppError('conflict', apiTokenSentences.tooMany)
        const made = await tokens.insert({
          id: createId(),
          name,
          tokenHash: secret.hash,
          prefix: secret.prefix,
          createdAt: now,
          createdById: admin.id,
          expiresAt,
          ...limits,
        })
        await record({ action: 'api-token-made', actor, subject: name })
        return made
      })
      return { ...row, token: secret.text }
    },

    async revoke(id: string, actor: Actor): Promise<void> {
      await commitChange(context, 'mail-account', async (tx, record) => {
        const revoked = await createApiTokensRepository(tx).revoke(id, clock())
        const { name } = mustExist(revoked, apiTokenSentences.missing)
        await record({ action: 'api-token-revoked', actor, subject: name })
      })
    },

    async find(text: string): Promise<BearerToken | null> {
      const now = clock()
      const row = pattern.test(text) ? await repository.findByHash(secretOf(text).hash, now) : undefined
      if (!row || hasEnded(row, calendarDateOf(now, timeZone))) return null
      const unlessAfter = before(now, sessionLimits.useRecordedEvery)
      if (row.lastUsedAt === null || row.lastUsedAt <= unlessAfter) {
        await repository.recordUse(row.id, now, unlessAfter)
      }
      return {
        id: row.id,
        ownerId: row.createdById,
        name: row.name,
        domain: row.domain,
        // A new first password ends the tokens.
        isHeld: setUpOf({ hasFirstPassword: false, ...row }, now) !== null,
        take: (count) => repository.takeMails(row.id, count, now.toISOString().slice(0, 10)),
      }
    },
  }
}

const mark = 'nstp_'
const secretBytes = 32
// 32 bytes in base64url. The prefix lets secret scanners recognise it.
const pattern = /^nstp_[\w-]{43}$/
// Enough to distinguish tokens; 220 bits stay secret.
const prefixLength = mark.length + 6

// SHA-256: 256 random bits need no slow hash.
function secretOf(text: string) {
  return { text, prefix: text.slice(0, prefixLength), hash: sha256(text) }
}

import { randomBytes } from 'node:crypto'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { BearerToken } from '#server/http/context.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import {
  type ApiToken,
  apiTokenLimits,
  apiTokenSentences,
  type MadeApiToken,
} from '#shared/auth/api-tokens.ts'
import type { Topic } from '#shared/topics.ts'
import { type ApiTokenRow, createApiTokensRepository } from './repository.ts'

// ms
const useRecordedEveryMs = 60_000

interface ApiTokensOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export type ApiTokensService = ReturnType<typeof createApiTokensService>

export function createApiTokensService({ database, clock, publish, audit }: ApiTokensOptions) {
  const repository = createApiTokensRepository(database.db)

  return {
    async list(): Promise<ApiToken[]> {
      return (await repository.list()).map(present)
    },

    /**
     * @returns the token itself, only this once
     * @throws AppError `invalid` when the name is taken; `conflict` above the limit
     */
    async make(name: string, actor: Actor): Promise<MadeApiToken> {
      const secret = createApiSecret()
      const row = await database.transact(async (tx) => {
        const tokens = createApiTokensRepository(tx)
        await tokens.lock()
        const inUse = await tokens.list()
        if (inUse.some((other) => other.name.toLowerCase() === name.toLowerCase())) throw nameTaken()
        if (inUse.length >= apiTokenLimits.tokens) {
          throw new AppError('conflict', { detail: apiTokenSentences.tooMany })
        }
        const made = await tokens.insert({
          id: createId(),
          name,
          tokenHash: secret.hash,
          prefix: secret.prefix,
          createdAt: clock(),
          createdBy: actor.name,
        })
        await audit.record(tx, { action: 'api-token-made', actor, subject: name })
        return made
      })
      publish('mail-account')
      return { ...present(row), token: secret.text }
    },

    /** @throws AppError `not_found` when it is not in use any more */
    async revoke(id: string, actor: Actor): Promise<void> {
      await database.transact(async (tx) => {
        const revoked = await createApiTokensRepository(tx).revoke(id, clock())
        if (!revoked) throw new AppError('not_found', { detail: apiTokenSentences.missing })
        await audit.record(tx, { action: 'api-token-revoked', actor, subject: revoked.name })
      })
      publish('mail-account')
    },

    async find(text: string): Promise<BearerToken | null> {
      const secret = parseApiSecret(text)
      const row = secret && (await repository.findByHash(secret.hash))
      if (!row) return null
      const now = clock()
      const unlessAfter = new Date(now.getTime() - useRecordedEveryMs)
      if (row.lastUsedAt === null || row.lastUsedAt <= unlessAfter) {
        await repository.recordUse(row.id, now, unlessAfter)
      }
      return { id: row.id, name: row.name }
    },
  }
}

function present({ createdAt, lastUsedAt, ...token }: ApiTokenRow): ApiToken {
  return { ...token, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

function nameTaken(): AppError {
  const message = apiTokenSentences.nameTaken
  return new AppError('invalid', { detail: message, errors: [{ path: 'name', message }] })
}

const mark = 'nstp_'
const secretBytes = 32
// 32 bytes in base64url. The prefix lets secret scanners recognise it.
const pattern = /^nstp_[\w-]{43}$/
// Enough to distinguish tokens; 220 bits stay secret.
const prefixLength = mark.length + 6

interface ApiSecret {
  text: string
  prefix: string
  // SHA-256: 256 random bits need no slow hash.
  hash: Buffer
}

function createApiSecret(): ApiSecret {
  return secretOf(mark + randomBytes(secretBytes).toString('base64url'))
}

function parseApiSecret(text: string): ApiSecret | null {
  return pattern.test(text) ? secretOf(text) : null
}

function secretOf(text: string): ApiSecret {
  return { text, prefix: text.slice(0, prefixLength), hash: sha256(text) }
}

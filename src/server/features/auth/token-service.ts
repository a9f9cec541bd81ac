import { randomBytes } from 'node:crypto'
import { v7 as createId } from 'uuid'
import type { BearerToken } from '#server/http/context.ts'
import type { Actor } from '#server/lib/actor.ts'
import { type ChangeContext, commitChange } from '#server/lib/change.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import {
  type ApiToken,
  apiTokenLimits,
  apiTokenSentences,
  type MadeApiToken,
} from '#shared/auth/api-tokens.ts'
import { type ApiTokenRow, createApiTokensRepository } from './repository.ts'

// ms
const useRecordedEveryMs = 60_000

export function createApiTokensService(context: ChangeContext) {
  const { database, clock } = context
  const repository = createApiTokensRepository(database.db)

  return {
    async list(): Promise<ApiToken[]> {
      return (await repository.list()).map(present)
    },

    // The token itself is shown only this once.
    async make(name: string, actor: Actor): Promise<MadeApiToken> {
      const secret = secretOf(mark + randomBytes(secretBytes).toString('base64url'))
      const row = await commitChange(context, 'mail-account', async (tx, record) => {
        const tokens = createApiTokensRepository(tx)
        await tokens.lock()
        const inUse = await tokens.list()
        if (inUse.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
          throw invalid('name', apiTokenSentences.nameTaken)
        }
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
        await record({ action: 'api-token-made', actor, subject: name })
        return made
      })
      return { ...present(row), token: secret.text }
    },

    async revoke(id: string, actor: Actor): Promise<void> {
      await commitChange(context, 'mail-account', async (tx, record) => {
        const revoked = await createApiTokensRepository(tx).revoke(id, clock())
        if (!revoked) throw new AppError('not_found', { detail: apiTokenSentences.missing })
        await record({ action: 'api-token-revoked', actor, subject: revoked.name })
      })
    },

    async find(text: string): Promise<BearerToken | null> {
      const row = pattern.test(text) ? await repository.findByHash(secretOf(text).hash) : undefined
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

function secretOf(text: string): ApiSecret {
  return { text, prefix: text.slice(0, prefixLength), hash: sha256(text) }
}

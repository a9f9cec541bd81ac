import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { codeOf } from '#server/database/errors.ts'
import type { ClaimEnd, ClaimsRepository } from '#server/mail/ledger/claims-repository.ts'

/** Pauses before the database is asked again, in milliseconds. */
const firstPauseMs = 100
const longestPauseMs = 2_000

interface EndingsOptions {
  claims: Pick<ClaimsRepository, 'end'>
  log: Logger
  /** Aborts when nothing can be waited for any longer. */
  givenUp: AbortSignal
}

/**
 * Writes how messages ended. While the database is away, the end is kept in memory and the worker waits with it: what was sent must
 * be known as sent.
 */
export function createEndings({ claims, log, givenUp }: EndingsOptions) {
  return {
    /** Resolves when it is written, or given up: the claim runs out then. */
    async write(end: ClaimEnd): Promise<void> {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
        try {
          await claims.end(end)
          return
        } catch (error) {
          log.warn({ code: codeOf(error), message: end.id }, 'the end of a message not written; trying again')
          if (givenUp.aborted) return
          await sleep(pauseMs, undefined, { signal: givenUp }).catch(() => undefined)
        }
      }
    },
  }
}

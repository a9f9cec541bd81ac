import type { Logger } from 'pino'
import type { Clock } from '#server/clock.ts'
import type { ClaimsRepository } from '#server/mail/ledger/claims-repository.ts'
import { dayMs } from '#server/mail/ledger/quota.ts'
import type { UnwantedRepository } from '#server/mail/ledger/unwanted-repository.ts'
import { mailDecisionSentences } from '#shared/mail-history.ts'

/** It is seen to so often at most, in milliseconds. */
const everyMs = 7_500
/** Longer than a claim lasts and than a message waits for its next attempt: what is beyond is a clock's fault. */
const longestMs = dayMs

const leftBehind =
  'The program ended while the message was being sent, so nobody knows whether the mail server took it.'

interface LeftoversOptions {
  claims: Pick<ClaimsRepository, 'bringForward' | 'expire'>
  unwanted: Pick<UnwantedRepository, 'cancelOfCancelled' | 'cancelOptedOut'>
  clock: Clock
  log: Logger
}

export type Leftovers = ReturnType<typeof createLeftovers>

/** What workers that died, clocks that were wrong and decisions that came in between leave in the ledger. */
export function createLeftovers({ claims, unwanted, clock, log }: LeftoversOptions) {
  let seenToAt = Number.NEGATIVE_INFINITY

  return {
    /** Sees to it, unless that was done a moment ago. Gives whether messages have ended by that. */
    async seeTo(): Promise<boolean> {
      if (performance.now() - seenToAt < everyMs) return false
      const now = clock()
      const cancelled =
        (await unwanted.cancelOfCancelled(now)) +
        (await unwanted.cancelOptedOut(now, mailDecisionSentences.optedOut))
      await claims.bringForward(now, longestMs)
      const lost = await claims.expire(now, longestMs, leftBehind)
      seenToAt = performance.now()
      if (lost > 0) log.warn({ count: lost }, 'messages whose end nobody knows')
      return cancelled + lost > 0
    },
  }
}

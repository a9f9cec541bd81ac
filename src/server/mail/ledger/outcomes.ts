import type { Logger } from 'pino'
import { codeOf } from '#server/database/errors.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { MailOutcome } from '#server/mail/mailer.ts'
import { createOutcomesRepository } from './outcomes-repository.ts'

/** What a deleted message is told as. */
const gone: MailOutcome = { state: 'cancelled', failure: 'The message was deleted before it was sent.' }

interface OutcomesOptions {
  db: Queryable
  log: Logger
  /** Why a new message won't go out soon; '' when it will. */
  obstacle: () => string
}

export type Outcomes = ReturnType<typeof createOutcomes>

/** Who waits to hear how a message ended. */
export function createOutcomes({ db, log, obstacle }: OutcomesOptions) {
  const waiting = new Map<string, Set<(outcome: MailOutcome) => void>>()
  let reading: Promise<void> | undefined
  // Somebody looked while the ledger was being read.
  let isStale = false

  function tell(id: string, outcome: MailOutcome): void {
    for (const resolve of waiting.get(id) ?? []) resolve(outcome)
    waiting.delete(id)
  }

  async function read(id: string): Promise<MailOutcome> {
    const [found] = await createOutcomesRepository(db).read([id])
    return found ? { state: found.state, failure: found.failure } : gone
  }

  async function readWaiting(): Promise<void> {
    const found = await createOutcomesRepository(db).read([...waiting.keys()])
    for (const { id, state, failure } of found) {
      const isOver = state !== 'queued' && state !== 'sending'
      if (isOver || failure !== '') tell(id, { state, failure })
    }
  }

  function look(): void {
    isStale = reading !== undefined
    if (waiting.size === 0 || reading) return
    reading = readWaiting()
      // Whoever waits looks by itself when the time is over.
      .catch((error: unknown) => log.warn({ code: codeOf(error) }, 'the ends of messages not read'))
      .finally(() => {
        reading = undefined
        if (isStale) look()
      })
  }

  return {
    /** Tells those who wait for a message how it ended, or that it will take longer. */
    tell,

    /** Tells all who wait for a message that isn't under way here why it will take longer. */
    tellObstacle(isUnderWay: (id: string) => boolean): void {
      const failure = obstacle()
      if (failure === '') return
      for (const id of waiting.keys()) {
        if (!isUnderWay(id)) tell(id, { state: 'queued', failure })
      }
    },

    /** Looks what other processes have sent. */
    look,

    /** As `Mailer.outcomeOf`. */
    async of(id: string, withinMs: number): Promise<MailOutcome> {
      const failure = obstacle()
      if (failure) return { state: 'queued', failure }
      let timer: NodeJS.Timeout | undefined
      const told = new Promise<MailOutcome>((resolve) => {
        const all = waiting.get(id) ?? new Set()
        waiting.set(id, all.add(resolve))
        timer = setTimeout(() => {
          all.delete(resolve)
          if (all.size === 0) waiting.delete(id)
          read(id).then(resolve, () => resolve({ state: 'queued', failure: '' }))
        }, withinMs)
      })
      // It may have ended before anybody waited.
      look()
      return told.finally(() => clearTimeout(timer))
    },
  }
}

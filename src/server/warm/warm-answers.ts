import type { Logger } from 'pino'
import type { Clock } from '#server/clock.ts'
import type { Notices } from '#server/database/notices.ts'
import type { Middleware } from '#server/listen.ts'
import { startOfDay } from '#shared/periods.ts'
import { calendarDateOf, dayAfter } from '#shared/program-calendar.ts'
import { publicTopics, type Topic } from '#shared/topics.ts'
import { createAnswerLog } from './answer-log.ts'
import { answerWarm } from './answer-warm.ts'
import { keepAnswers } from './keep-answers.ts'
import { createWarmKey } from './warm-key.ts'
import { createWarmStore } from './warm-store.ts'

interface WarmAnswersOptions {
  notices: Pick<Notices, 'subscribe' | 'onPublish' | 'isCurrent'>
  /** Calls back when this process knows newer settings; they may be later than their notice. */
  onSettings: (listener: () => void) => void
  /** When the next announcement appears or disappears by itself; null when none is planned. */
  nextPublication: () => Date | null
  clock: Clock
  timeZone: string
  log: Logger
  publicUrl: string | undefined
}

export interface WarmAnswers {
  /** Hono's part: makes and keeps. */
  keep: ReturnType<typeof keepAnswers>
  /** The part before Hono: gives what is kept. */
  answer: Middleware
  /** Writes what waits in memory. */
  close: () => void
}

/**
 * The public pages and lists of everybody who isn't signed in, kept in memory until something public changes:
 * here, elsewhere, or by the clock.
 */
export function createWarmAnswers(options: WarmAnswersOptions): WarmAnswers {
  const { notices, onSettings, nextPublication, clock, timeZone, log, publicUrl } = options
  const store = createWarmStore({
    isCurrent: notices.isCurrent,
    // Pages show the year, and lists the day.
    nextInstant: () => {
      const midnight = startOfDay(dayAfter(calendarDateOf(clock(), timeZone)), timeZone)
      return Math.min(midnight.getTime(), nextPublication()?.getTime() ?? Number.POSITIVE_INFINITY)
    },
    now: () => clock().getTime(),
  })
  const forgetIfPublic = (topic: Topic) => {
    if (publicTopics.some((name) => name === topic)) store.forget()
  }
  notices.onPublish(forgetIfPublic)
  notices.subscribe(forgetIfPublic)
  onSettings(store.forget)

  const keyOf = createWarmKey(publicUrl)
  const answerLog = createAnswerLog(log)
  return {
    keep: keepAnswers(store, keyOf),
    answer: answerWarm({ store, keyOf, answerLog }),
    close: answerLog.close,
  }
}

import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'

/** How soon a mailing that failed is tried again, in milliseconds. */
const retryMs = 5_000

interface MailWhenDueOptions {
  mailDue: () => Promise<void>
  notices: Pick<Notices, 'subscribe'>
  log: Logger
  /** Aborts when the server stops. */
  closing: AbortSignal
}

/**
 * Mails announcements as soon as they are public. The topic `announcements` tells of every change, also of those that
 * come by the publication clock; each process hears it, and one of them mails.
 */
export function createMailWhenDue({ mailDue, notices, log, closing }: MailWhenDueOptions) {
  let running: Promise<void> | null = null
  let isAnew = false
  let timer: NodeJS.Timeout | undefined

  function mailSoon(): void {
    clearTimeout(timer)
    if (closing.aborted) return
    if (running) {
      isAnew = true
      return
    }
    running = mailDue()
      .catch((error: unknown) => {
        if (closing.aborted) return
        log.warn({ err: error }, 'announcements that are due not mailed; trying again')
        timer = setTimeout(mailSoon, retryMs)
      })
      .finally(() => {
        running = null
        if (!isAnew) return
        isAnew = false
        mailSoon()
      })
  }

  return {
    /** Mails what is due already, and from now on what becomes due. */
    start(): void {
      const stopListening = notices.subscribe((topic) => {
        if (topic === 'announcements') mailSoon()
      })
      closing.addEventListener('abort', () => {
        stopListening()
        clearTimeout(timer)
      })
      mailSoon()
    },

    /** Waits for what is under way. */
    async close(): Promise<void> {
      await running
    },
  }
}

import { createMailboxCheck } from '#server/features/returned-mail/mailbox-check.ts'
import { createReturnedMailService } from '#server/features/returned-mail/service.ts'
import type { Mailbox } from '#server/mail/mailbox/mailbox-connection.ts'
import type { Foundation } from './foundation.ts'

interface ReturnedMailOptions {
  /** Null where nothing is configured to be read. */
  mailbox: () => Mailbox | null
}

/** Mail that came back: the reading of the mailbox, and the addresses to fix. */
export function createReturnedMailServices(foundation: Foundation, { mailbox }: ReturnedMailOptions) {
  const { publish } = foundation.notices
  const check = createMailboxCheck({ ...foundation, mailbox })
  return {
    /** Begins to read; when the account was read. */
    start: check.start,
    close: check.close,
    parts: {
      returnedMail: { returned: createReturnedMailService({ ...foundation, publish, mailbox, check }) },
    },
  }
}

import type { MailState } from '#shared/mail.ts'

/** How a message ended, or how it stands when nobody waits any longer. */
export interface MailOutcome {
  state: MailState
  /** Why it was not sent, or not yet: a sentence; '' for nothing. */
  failure: string
}

/** How features hand messages over that they wrote into the ledger (`addMessages`). */
export interface Mailer {
  /** Whether there is an account to send by. From memory: it costs no query. */
  isConfigured: () => boolean
  /** Says after the commit that there is something to send. Other processes hear it by the topic `mail`. */
  wake: () => void
  /**
   * Waits for a message's end.
   *
   * @param withinMs after this time the message's state of then is given. At once, while the mail server is known not to answer or the
   *   quota is spent: nobody waits for what will not come.
   */
  outcomeOf: (id: string, withinMs: number) => Promise<MailOutcome>
}

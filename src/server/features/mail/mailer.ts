import type { MailState } from '#shared/mail/mail.ts'

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

/** The account as the worker uses it. */
export interface SendingAccount {
  senderAddress: string
  /** '' for the school's name. */
  senderName: string
  /** Who signs in: never empty. */
  userName: string
  password: string
  host: string
  port: number
  /** TLS from the first byte; else STARTTLS is demanded of every server but this machine's own. */
  secure: boolean
}

/** The account of now, from memory; null while e-mail is not configured, or the password can't be opened. */
export type CurrentAccount = () => SendingAccount | null

/** Whether both sign in to the same server in the same way. */
export function isSameSignIn(one: SendingAccount, other: SendingAccount): boolean {
  return (
    one.host === other.host &&
    one.port === other.port &&
    one.secure === other.secure &&
    one.userName === other.userName &&
    one.password === other.password
  )
}

/** What a message's template is filled with; kept with the message as JSON, and rendered when it is sent. */
export type MailContent =
  | { template: 'welcome'; values: WelcomeValues }
  | { template: 'message'; body: string; format: BodyFormat }
  /** The text is the batch's; these values stand in for its placeholders. */
  | {
      template: 'batch'
      values: PlaceholderValues
      /** The recipient's place in the list that somebody sent, counted from 0; its address may change meanwhile. */
      position?: number
    }
  /** A bulk e-mail as one of its recipients will read it, to oneself. What it is filled with finds and names no message. */
  | { template: 'sample'; name: string; body: string; format: BodyFormat; filledWith: PlaceholderValues }
  | { template: 'test' }

export type BodyFormat = 'text' | 'html'

export interface WelcomeValues {
  firstName: string
  lastName: string
  nstpComponent: string
  /** '' where another program asked for the mail and knows none. */
  reference: string
}

/** By the names that stand in braces: `{firstName}`. A recipient from a list has the first only. */
export interface PlaceholderValues {
  firstName: string
  lastName?: string | undefined
  component?: string | undefined
  course?: string | undefined
  academicYear?: string | undefined
  reference?: string | undefined
}

import type { MailState } from '#shared/mail/mail.ts'

export interface MailOutcome {
  state: MailState
  failure: string
}

export interface Mailer {
  // From memory, without a query.
  isConfigured: () => boolean
  // After the commit of new messages. Announces them to all processes.
  wake: () => void
  // Returns the current state after `withinMs` ms, and at once while the mail server is down or the quota is spent.
  outcomeOf: (id: string, withinMs: number) => Promise<MailOutcome>
}

export interface SendingAccount {
  senderAddress: string
  senderName: string
  userName: string
  password: string
  host: string
  port: number
  // TLS from the first byte; else STARTTLS is required, except for localhost.
  secure: boolean
}

export type CurrentAccount = () => SendingAccount | null

export interface AccountSource {
  // From memory, without a query.
  current: CurrentAccount
  load: () => Promise<void>
  onChange: (listener: () => void) => void
}

export function isSameSignIn(one: SendingAccount, other: SendingAccount): boolean {
  return (
    one.host === other.host &&
    one.port === other.port &&
    one.secure === other.secure &&
    one.userName === other.userName &&
    one.password === other.password
  )
}

export type MailContent =
  | { template: 'welcome'; values: WelcomeValues }
  | { template: 'message'; body: string; format: BodyFormat }
  | {
      template: 'batch'
      values: PlaceholderValues
      position?: number | undefined
    }
  // Security: the values of a sample are not searchable and name no message.
  | { template: 'sample'; name: string; body: string; format: BodyFormat; filledWith: PlaceholderValues }
  | { template: 'test' }

export type BodyFormat = 'text' | 'html'

export interface WelcomeValues {
  firstName: string
  lastName: string
  nstpComponent: string
  reference: string
}

/** By placeholder name: `{firstName}`. A listed recipient has only the first. */
export interface PlaceholderValues {
  firstName: string
  lastName?: string | undefined
  component?: string | undefined
  course?: string | undefined
  academicYear?: string | undefined
  reference?: string | undefined
}

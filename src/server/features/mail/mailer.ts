import type { MailState } from '#shared/mail/mail.ts'
import type { PlaceholderTexts } from '#shared/mail/mail-placeholders.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import type { OAuthWay } from '#shared/mail/mail-sign-in.ts'
import type { StudentRequestKind } from '#shared/requests/request-kinds.ts'
import type { Language } from '#shared/site/language.ts'
import type { StudentField } from '#shared/students/student-fields.ts'

export interface MailOutcome {
  state: MailState
  failure: string
}

export interface Mailer {
  // Why nothing is sent; '' while mail is sent. The answer is from memory.
  problem: () => string
  // Reads the account from memory, without a query.
  isConfigured: () => boolean
  // Announces new messages to all processes. Call it after their commit.
  wake: () => void
  // Returns the current state after `withinMs` ms, 3 s by default, and at once while the mail server is down or the quota is
  // spent.
  outcomeOf: (id: string, withinMs?: number) => Promise<MailOutcome>
  // Whether welcome mail waits until more of it may be sent. The answer is from memory.
  holdsWelcomes: () => boolean
}

/** Whether the server's address, found at each connection, is one that the product may reach. */
export type MayConnect = (address: string) => boolean

/** The access tokens of an account that signs in by OAuth 2. */
export interface AccessTokens {
  /**
   * Returns a token from memory, or requests one for all callers.
   * @throws SignInFailure
   */
  current: () => Promise<string>
  /** Drops a token that a server refused: the next one is requested anew. */
  forget: (token: string) => void
  way: OAuthWay
}

/** `secure`: TLS from the first byte; else STARTTLS is required, except for localhost. */
export type SendingAccount = { mayConnect: MayConnect } & Credentials &
  Pick<MailAccount, 'senderAddress' | 'senderName' | 'userName' | 'host' | 'port' | 'secure'>

/** The password is '' where there are `tokens`. */
export interface Credentials {
  password: string
  tokens?: AccessTokens
}

export interface AccountSource {
  // Reads the account from memory, without a query.
  current: () => SendingAccount | null
  load: () => Promise<unknown>
  onChange: (listener: () => void) => void
}

export type MailContent =
  | { template: 'welcome'; values: WelcomeValues }
  | { template: 'message'; body: string; format: BodyFormat }
  | { template: 'batch'; values: PlaceholderValues; position?: number | undefined }
  // Security: the values of a sample are not searchable and name no message.
  | { template: 'sample'; name: string; body: string; format: BodyFormat; filledWith: PlaceholderTexts }
  | { template: 'test' }
  | { template: 'decision'; values: DecisionValues; language: Language }
  | { template: 'address-changed'; language: Language }
  // Security: the digits are derived from the id when the mail is sent, and stored nowhere.
  | { template: 'code'; codeId: string; language: Language }
  | { template: 'lost-code'; studentIds: readonly string[]; language: Language }

/** How the office decided what a student asked for at /my: no value of the record. */
export interface DecisionValues {
  kind: StudentRequestKind
  isGranted: boolean
  accepted: readonly StudentField[]
  refused: readonly StudentField[]
  answer: string
}

export type BodyFormat = 'text' | 'html'

export interface WelcomeValues {
  firstName: string
  lastName: string
  nstpComponent: string
  reference: string
  /** The language; absent for English. */
  language?: Language
}

/** The values by the name of their placeholder, such as `{firstName}`. A listed recipient has only the first name. */
export type PlaceholderValues = PlaceholderTexts & { firstName: string }

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

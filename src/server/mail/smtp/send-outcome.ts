/** How the attempt to send one message ended. */
export type SendOutcome =
  /** The server accepted it. */
  | { end: 'sent' }
  /** The server refused this message for good. */
  | { end: 'refused'; failure: string }
  /**
   * Certainly not accepted, perhaps later.
   *
   * `isGeneral`: what happened was hardly about this message, and will happen to others too · `isSilent`: the connection ended
   * without an answer
   */
  | { end: 'deferred'; failure: string; isGeneral: boolean; isSilent: boolean }
  /** It didn't come to the message: the server can't be reached, or does not take mail from this account. */
  | { end: 'unreached'; trouble: MailTrouble }
  /** The server may have accepted it: the message was handed over whole, and no clear answer came. */
  | { end: 'unknown'; failure: string }

/** What keeps mail of any kind from going out. */
export interface MailTrouble {
  /** What failed: the account's owner mends the last three. */
  kind: 'connection' | 'server' | 'quota' | 'encryption' | 'sign-in' | 'sender'
  /** A sentence for the coordinator. */
  sentence: string
}

import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Where in the conversation a mail server fails:
 * the greeting, signing in, MAIL, RCPT, DATA, between the server's "go ahead" and the final dot, or at the final dot
 */
export type MailStep = 'greeting' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'dot'

/** What it does there, instead of what it should. */
export type MailFault = {
  at: MailStep
  /** Only for this recipient: known from RCPT on. */
  recipient?: string
  /** How often. For ever, unless given. */
  times?: number
} & (
  | { does: 'answer'; code: number; text: string }
  /** Breaks the connection off. At the dot with `accepts`, after it took the message. */
  | { does: 'cut'; accepts?: boolean }
  /** Never says a word again. */
  | { does: 'silence'; accepts?: boolean }
  /** Goes on after a while. */
  | { does: 'wait'; ms: number }
)

/** The faults that a test has scripted, in their order. */
export function createMailFaults() {
  let faults: { fault: MailFault; left: number }[] = []

  return {
    add(fault: MailFault): void {
      faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY })
    },
    clear(): void {
      faults = []
    },
    /** The fault of this moment, counted. */
    take(at: MailStep, recipients: readonly string[] = []): MailFault | undefined {
      const found = faults.find(
        ({ fault, left }) =>
          left > 0 && fault.at === at && (!fault.recipient || recipients.includes(fault.recipient)),
      )
      if (found) found.left -= 1
      return found?.fault
    },
  }
}

/** What smtp-server's handlers are called back with for a fault; calls back not at all where nothing is to be said. */
export async function play(
  fault: MailFault | undefined,
  cut: () => void,
  goOn: (error?: Error) => void,
): Promise<void> {
  switch (fault?.does) {
    case 'answer':
      return goOn(Object.assign(new Error(fault.text), { responseCode: fault.code }))
    case 'cut':
      return cut()
    case 'silence':
      return
    case 'wait':
      await sleep(fault.ms)
      return goOn()
    default:
      goOn()
  }
}

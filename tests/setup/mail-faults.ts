import { setTimeout as sleep } from 'node:timers/promises'

// 'body' is between the server's "go ahead" and the final dot.
export type MailStep = 'greeting' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'dot'

export type MailFault = {
  at: MailStep
  // Known from RCPT on.
  recipient?: string
  // Unlimited unless given.
  times?: number
} & (
  | { does: 'answer'; code: number; text: string }
  // At the dot with `accepts`, after it took the message.
  | { does: 'cut'; accepts?: boolean }
  | { does: 'silence'; accepts?: boolean }
  | { does: 'wait'; ms: number }
)

export function createMailFaults() {
  let faults: { fault: MailFault; left: number }[] = []

  return {
    add(fault: MailFault): void {
      faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY })
    },
    clear(): void {
      faults = []
    },
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

/** Calls smtp-server's callback for a fault; never calls it for a silent server. */
export async function play(
  fault: MailFault | undefined,
  cut: () => void,
  next: (error?: Error) => void,
): Promise<void> {
  switch (fault?.does) {
    case 'answer':
      return next(Object.assign(new Error(fault.text), { responseCode: fault.code }))
    case 'cut':
      return cut()
    case 'silence':
      return
    case 'wait':
      await sleep(fault.ms)
      return next()
    default:
      next()
  }
}

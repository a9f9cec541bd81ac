import type { EmailFrameData } from './email-data.ts'

type StatusFacts = Pick<EmailFrameData, 'status' | 'account'> & {
  queue: Pick<EmailFrameData['queue'], 'trouble'>
}

/** Whether e-mail goes out, and why not. */
export function statusSentence({ status, account, queue }: StatusFacts): string {
  // Not configured may also be: its password can't be opened any more.
  if (status.status !== 'ok') return status.message
  if (queue.trouble !== '') return queue.trouble
  return account ? `E-mail goes out from ${account.senderAddress}.` : status.message
}

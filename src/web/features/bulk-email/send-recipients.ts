import type { RecipientList } from '#shared/mail-recipients.ts'
import { type Sending, sendForm } from '#web/lib/send-form.ts'

/**
 * Has a spreadsheet of recipients read by the server.
 *
 * @param onProgress is told the part that has gone, from 0 to 1
 */
export function sendRecipients(file: File, onProgress: (part: number) => void): Sending<RecipientList> {
  const body = new FormData()
  body.set('file', file)
  return sendForm({
    method: 'POST',
    path: '/api/mail/recipients/file',
    body,
    read: (answer) => (isRecipientList(answer) ? answer : undefined),
    onProgress,
  })
}

function isRecipientList(answer: unknown): answer is RecipientList {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'recipients' in answer &&
    Array.isArray(answer.recipients) &&
    'invalid' in answer &&
    'duplicates' in answer
  )
}

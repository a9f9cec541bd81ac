export const returnedPageSize = 50

export const returnedSentences = {
  missing: 'This entry no longer exists.',
  notConfigured: 'No mailbox is configured. Enter the IMAP server in the e-mail configuration.',
  onlyAdmins: 'Only administrators can see bounced e-mails.',
} as const

const reasons: Record<string, string> = {
  '4': 'The mail could not be delivered in time',
  '4.2.2': 'The mailbox is full',
  '4.4': 'The recipient’s mail server could not be reached in time',
  '5': 'The recipient’s mail server refused the mail',
  '5.1': 'This address is not valid',
  '5.1.1': 'This address does not exist',
  '5.1.2': 'The part after the @ does not exist',
  '5.1.3': 'This address is not written correctly',
  '5.1.6': 'The mailbox has moved to another address',
  '5.1.10': 'The part after the @ does not accept mail',
  '5.2': 'The mailbox does not accept mail',
  '5.2.1': 'The mailbox is closed',
  '5.2.2': 'The mailbox is full',
  '5.2.3': 'The mail is too large for the mailbox',
  '5.3': 'The recipient’s mail server has a problem',
  '5.3.4': 'The mail is too large for the recipient’s mail server',
  '5.4': 'The recipient’s mail server could not be reached',
  '5.7': 'The recipient’s mail server refused our mail server, not the address',
}

export function returnReason(status: string): string {
  const [kind = '', subject, detail] = status.split('.')
  return (
    reasons[`${kind}.${subject}.${detail}`] ??
    reasons[`${kind}.${subject}`] ??
    reasons[kind] ??
    'The e-mail bounced'
  )
}

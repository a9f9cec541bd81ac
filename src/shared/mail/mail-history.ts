import * as z from 'zod/mini'

export const batchPageSize = 20
export const mailPageSize = 50
export const maxMailSearch = 100

export const mailDecisionSentences = {
  codeNotAgain: 'A code is valid for ten minutes only. The student asks for a new one at /my.',
  codeTooLate: 'The code was not sent within ten minutes, or a newer one took its place.',
  notFound: 'This e-mail is no longer in the history.',
  batchNotFound: 'This bulk e-mail is no longer in the history.',
  notToSendAgain: 'Only an e-mail that failed or has an unknown result can be sent again.',
  alreadySettled: 'This e-mail was already marked as sent or failed.',
  repeated: 'This e-mail was already sent again with another bulk e-mail.',
  cancelled: 'This bulk e-mail was cancelled.',
  nothingFailed: 'This bulk e-mail has no failed e-mails left to send again.',
  nobodyLeft: 'No recipients left: all opted out or have no valid address.',
  optedOut: 'The owner of this address has stopped announcements by e-mail.',
  otherBatch:
    'This Idempotency-Key was used for another bulk e-mail. Please use a new one for each bulk e-mail.',
  sentByOther: (who: string, count: number, minutes: number) =>
    `${who} sent this same e-mail to ${count === 1 ? '1 of these recipients' : `${count} of these recipients`} ` +
    `${minutes < 1 ? 'less than a minute' : minutes === 1 ? '1 minute' : `${minutes} minutes`} ago. Nothing was sent again. ` +
    'If they are to get it twice, change the subject.',
  settledAsFailed: 'Marked as not sent.',
  rejected: 'The registration was marked as fake.',
} as const

export const studentMailLimit = 50

export const optOutSentences = {
  unknownLink: 'Please open the link from the e-mail again, or ask the NSTP office to stop announcements.',
  choose: 'Choose whether announcements are sent by e-mail.',
} as const

export const announcementChoiceSchema = z.strictObject({
  token: z.string(optOutSentences.unknownLink),
  announcements: z.boolean(optOutSentences.choose),
})

export const studentMailChangeSchema = z.strictObject({ announcements: z.boolean(optOutSentences.choose) })

import { mailSentences } from '#shared/mail.ts'
import { singleEmailSentences } from '#shared/single-email.ts'
import { ApiProblem } from './api-problem.ts'

/** What the person reads when a mail to one person was not sent (spec §8), whoever said why. */
export function singleMailFailure(error: unknown): string {
  // Whatever was no answer of ours came from something between.
  if (!(error instanceof ApiProblem)) return singleEmailSentences.failed(mailSentences.invalidResponse)
  const { code, detail } = error.problem
  // The server's word on the mail is whole: also that nobody knows.
  const isWhole = code === 'not_sent' || detail.startsWith(mailSentences.failedToSend)
  return isWhole ? detail : singleEmailSentences.failed(detail)
}

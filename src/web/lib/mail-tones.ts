import type { MailState } from '#shared/mail.ts'

/** The colour of each state of a message. Never the only sign: the state's word stands in it. */
export const mailTones = {
  queued: 'neutral',
  sending: 'info',
  sent: 'success',
  failed: 'danger',
  unknown: 'warning',
  cancelled: 'neutral',
} as const satisfies Record<MailState, string>

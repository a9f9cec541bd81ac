import { createSingleEmailService, type StudentsOf } from '#server/features/single-email/service.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { CurrentAccount } from '#server/mail/sending-account.ts'
import type { Foundation } from './foundation.ts'

interface SingleMailOptions {
  mailer: Mailer
  account: CurrentAccount
  /** The active students of some addresses. */
  withAddresses: StudentsOf
}

/** Mail to one person. */
export function createSingleMailServices(foundation: Foundation, options: SingleMailOptions) {
  const { database, notices, clock, audit } = foundation
  const emails = createSingleEmailService({ ...options, database, clock, audit, publish: notices.publish })
  return { parts: { singleEmail: { emails } } }
}

import { defaultFirstName, type MailItem } from '#shared/mail.ts'
import type { MessageRow } from './repository.ts'

/** A message as the API gives it out. */
export function presentMessage(row: MessageRow): MailItem {
  const { id, kind, batchId, studentId, recipient, subject, state, attempts, failure } = row
  return {
    id,
    kind,
    batchId,
    studentId,
    recipient,
    name: nameOf(row),
    subject,
    state,
    createdAt: row.createdAt.toISOString(),
    attempts,
    endedAt: row.endedAt?.toISOString() ?? null,
    notBefore: state === 'queued' && row.notBefore > row.createdAt ? row.notBefore.toISOString() : null,
    failure,
  }
}

/** 'Dela Cruz, Juan'; '' for who is only greeted as a student. */
export function nameOf({ firstName, lastName }: Pick<MessageRow, 'firstName' | 'lastName'>): string {
  if (lastName !== '') return `${lastName}, ${firstName}`
  return firstName === defaultFirstName ? '' : firstName
}

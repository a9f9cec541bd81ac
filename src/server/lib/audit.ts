import type { Queryable } from '#server/database/schema.ts'
import type { AuditAction } from '#shared/audit/audit.ts'
import type { Actor } from './actor.ts'

export interface AuditEntry {
  action: AuditAction
  actor: Actor
  studentId?: string
  studentIds?: readonly string[]
  // Never personal: the student's reference, a setting, a file.
  subject?: string
  fields?: readonly string[]
  affected?: number
  // Never personal: filters, a format.
  detail?: Record<string, string | number | boolean | null>
  values?: { before: Record<string, unknown>; after: Record<string, unknown> }
}

export type RecordEntry = Pick<AuditEntry, 'action' | 'actor' | 'detail'> &
  Required<Pick<AuditEntry, 'studentId' | 'subject' | 'fields' | 'values'>>

export interface Audit {
  /**
   * @param db the transaction of the change, so that both commit or neither; the database itself where nothing is
   * changed
   */
  record: (db: Queryable, entry: AuditEntry) => Promise<void>
  recordEach: (db: Queryable, entries: readonly RecordEntry[]) => Promise<void>
  /**
   * Records a read. Reads of one student within ten minutes, or of one list and filter within an hour, are one entry.
   * A list has one more for every 500 rows on other pages, so that one page and four hundred differ.
   * @param page what `affected` rows are on; reading it again counts once
   */
  recordView: (db: Queryable, entry: AuditEntry, page?: string) => Promise<void>
}

interface Refusal {
  action: 'sign-in-refused' | 'access-refused'
  actor: Actor
  // A few words or a path's pattern, never the user's input.
  what: string
}

/** Refusals of one kind from one network are one entry a minute. */
export type NoteRefusal = (refusal: Refusal) => Promise<void>

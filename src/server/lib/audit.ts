import type { Queryable } from '#server/database/schema.ts'
import type { AuditAction } from '#shared/audit/audit.ts'
import type { Actor } from './actor.ts'

/** What happened, as whoever did it tells it. */
export interface AuditEntry {
  action: AuditAction
  actor: Actor
  /** The one record it was about. */
  studentId?: string
  /** The records it was about, when they are many. */
  studentIds?: readonly string[]
  /** A name that isn't personal: the student's reference, a setting, a file. */
  subject?: string
  /** The names of the changed fields. */
  fields?: readonly string[]
  /** How many records, 1 unless given. */
  affected?: number
  /** What isn't personal and helps to understand it: filters, a format. */
  detail?: Record<string, string | number | boolean | null>
  /** The protected values. */
  values?: { before: Record<string, unknown>; after: Record<string, unknown> }
}

/** An entry about one record, one of many. */
export type RecordEntry = Pick<AuditEntry, 'action' | 'actor' | 'detail'> &
  Required<Pick<AuditEntry, 'studentId' | 'subject' | 'fields' | 'values'>>

/** How features tell the audit trail what they do. */
export interface Audit {
  /**
   * Writes an entry.
   *
   * @param db the transaction of what the entry tells, so that both stand or neither; the database itself where
   *   nothing is changed
   */
  record: (db: Queryable, entry: AuditEntry) => Promise<void>
  /** Writes many entries, each about one record, with their values. */
  recordEach: (db: Queryable, entries: readonly RecordEntry[]) => Promise<void>
  /** The same for looking at something: several looks at one student within ten minutes are one entry. */
  recordLook: (db: Queryable, entry: AuditEntry & { studentId: string }) => Promise<void>
}

/** Somebody was turned away. */
interface Refusal {
  action: 'sign-in-refused' | 'access-refused'
  actor: Actor
  /** Why, or from what: a few words or a path's pattern, never what was typed. */
  what: string
}

/** Tells the audit trail of refusals. Many of one kind from one network are one entry a minute. */
export type NoteRefusal = (refusal: Refusal) => Promise<void>

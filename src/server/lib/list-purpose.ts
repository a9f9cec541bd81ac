import type { Queryable } from '#server/database/schema.ts'
import type { ImportField } from '#shared/imports/imports.ts'
import type { ListedPerson } from '#shared/imports/match-people.ts'
import type { Restriction } from '#shared/privacy/privacy.ts'
import type { Level } from '#shared/terms/terms.ts'
import type { Topic } from '#shared/topics.ts'
import type { Access } from './access.ts'
import type { Actor } from './actor.ts'

/** Somebody whom a list may name: a student enrolled in a term, or in the rows of a paper. */
export interface ListMember extends ListedPerson {
  // For a paper's row this is the student's id.
  enrolmentId: string
  recordId: string
  level: Level
  section: string
  /** A row of a blocked record is never taken: the imports ask it for every purpose. */
  restriction: Restriction | null
  /** What a row of a list of marks would replace. */
  held?: string
}

/** What a row does to the member whom it means. */
export type RowVerdict =
  // The note is for a person to read; nothing depends on it.
  | { state: 'ready' | 'unchanged'; note?: { field: ImportField; message: string } }
  | { state: 'problem'; field: ImportField; message: string }
  // A person may take it all the same.
  | { state: 'differs'; field: ImportField; message: string; otherwise: 'ready' | 'unchanged' }

interface OwnList {
  // The term, or the paper.
  aboutId: string
  access: Access
}

interface ListCause extends OwnList {
  importId: string
  at: Date
  // The actor; null where an older version stored none.
  actor: Actor | null
  reason?: string
}

export type RowFields = Partial<Record<ImportField, string>>

export interface ReadRow {
  number: number
  fields: RowFields
}

export interface Judge<Member> {
  judge(row: ReadRow, member: Member): RowVerdict
}

/**
 * What a list that is imported does to the students of a term, or of a paper. The imports read the file, find whom each row means, and do
 * the work in one transaction; another feature says what comes of it, and is handed to them in `api.ts`.
 */
export interface ListPurpose<Member extends ListMember = ListMember> {
  /** The topics that it changes. */
  topics: readonly Topic[]
  /** @throws AppError `not_found`, or `conflict` where no such list is taken */
  open(db: Queryable, own: OwnList): Promise<{ academicYear: string }>
  /** Runs before the work is ordered. @throws AppError `invalid` where it needs a reason */
  mayApply?(db: Queryable, own: OwnList & { reason: string }): Promise<void>
  /**
   * Does what `open` does, and blocks others from changing what the list may change until the transaction ends.
   * @param own.reason the reason of the person who applies it; the undo has none
   */
  lock(tx: Queryable, own: OwnList & { reason?: string }): Promise<unknown>
  /** Reads the members in the components of the account. @param recordIds only these students */
  members(db: Queryable, list: OwnList & { recordIds?: readonly string[] }): Promise<Member[]>
  /**
   * @param rows all that name somebody
   * @throws AppError `invalid` with what is wrong with the file as a whole
   */
  judging(db: Queryable, list: OwnList & { rows: readonly ReadRow[] }): Promise<Judge<Member>>
  /** What is said of the file as a whole, by the rows that mean somebody. */
  notes?(
    db: Queryable,
    list: OwnList & { rows: readonly { enrolmentId: string; fields: RowFields }[] },
  ): Promise<string[]>
  /** The members that a list of everybody lacks, by the enrolments that it has. */
  countOthers?(
    db: Queryable,
    list: OwnList & { enrolmentIds: readonly string[] },
  ): Promise<{ missing: number; gone: number }>
  apply(
    tx: Queryable,
    rows: readonly { enrolmentId: string; fields: RowFields }[],
    cause: ListCause,
  ): Promise<void>
  /**
   * What was changed since stays.
   * @throws AppError `conflict` where it reaches beyond the components of the account
   * @returns the students whose enrolments are as before
   */
  undo(tx: Queryable, cause: ListCause): Promise<string[]>
}

export type ListPurposes<Name extends string> = Readonly<Record<Name, ListPurpose>>

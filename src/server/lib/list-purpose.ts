import type { Queryable } from '#server/database/schema.ts'
import type { ImportField } from '#shared/imports/imports.ts'
import type { ListedPerson } from '#shared/imports/match-people.ts'
import type { Level } from '#shared/terms/terms.ts'
import type { Access } from './access.ts'

/** Somebody whom a list may name: a student enrolled in a term. */
export interface ListMember extends ListedPerson {
  enrolmentId: string
  recordId: string
  level: Level
  section: string
  /** What a row of a list of marks would replace. */
  held?: string
}

/** What a row does to the member whom it means. */
export type RowVerdict =
  | { state: 'ready' | 'unchanged' }
  | { state: 'problem'; field: ImportField; message: string }
  // A person may take it all the same.
  | { state: 'differs'; field: ImportField; message: string; otherwise: 'ready' | 'unchanged' }

interface ListOfTerm {
  termId: string
  access: Access
}

interface ListCause extends ListOfTerm {
  importId: string
  at: Date
  byId: string | null
}

export type RowFields = Partial<Record<ImportField, string>>

/**
 * What a list that is imported does to the students of a term. The imports read the file, find whom each row means, and do
 * the work in one transaction; another feature says what comes of it, and is handed to them in `api.ts`.
 */
export interface ListPurpose<Member extends ListMember = ListMember> {
  /** @throws AppError `not_found`, or `conflict` where the term takes no such list */
  open(db: Queryable, termId: string): Promise<{ academicYear: string }>
  /** As `open`; until the transaction ends nobody else changes what is in the term. */
  lock(tx: Queryable, termId: string): Promise<unknown>
  /** In the components of the account. @param recordIds only these students */
  members(db: Queryable, list: ListOfTerm & { recordIds?: readonly string[] }): Promise<Member[]>
  judge(fields: RowFields, member: Member): RowVerdict
  /** The members that a list of everybody lacks, by the enrolments that it has. */
  countOthers?(
    db: Queryable,
    list: ListOfTerm & { enrolmentIds: readonly string[] },
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

import type { Generated } from 'kysely'
import type { ExcuseGround } from '#shared/attendance/excuse-grounds.ts'
import type { StudentRequestKind, StudentRequestState } from '#shared/requests/request-kinds.ts'
import type { RequestedChanges } from '#shared/requests/student-requests.ts'
import type { Language } from '#shared/site/language.ts'
import type { Optional } from './column-types.ts'

/** The tables of the page of a student, as part of `Tables`. */
export interface OwnPageTables {
  formerReferences: {
    reference: string
    studentId: string
  }
  studentSessions: {
    tokenHash: Buffer
    studentId: string
    createdAt: Date
    lastUsedAt: Date
    openedAt: Optional<Date>
  }
  studentKeys: {
    studentId: string
    slipHash: Optional<Buffer>
    slipMadeAt: Optional<Date>
    codeId: Optional<string>
    codeTries: Generated<number>
    emailChangedAt: Optional<Date>
    emailBefore: Optional<Buffer>
  }
  referenceMisses: {
    subject: string
    misses: number
    since: Date
    total: number
    lastAt: Date
  }
  studentRequests: {
    id: string
    studentId: string
    kind: StudentRequestKind
    askedAt: Date
    changes: Generated<RequestedChanges>
    reason: Generated<string>
    language: Generated<Language>
    state: Generated<StudentRequestState>
    granted: Generated<string[]>
    answer: Generated<string>
    decidedAt: Optional<Date>
    decidedById: Optional<string>
    privacyRequestId: Optional<string>
    dayId: Optional<string>
    ground: Generated<ExcuseGround | ''>
    version: Generated<number>
  }
}

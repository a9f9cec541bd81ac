import type { ColumnType, Generated } from 'kysely'
import type { BaseSheet, FrozenDefinition } from '#server/features/papers/layouts/layout.ts'
import type { CertificateKind, Signatory } from '#shared/certificates/certificates.ts'
import type { LayoutCode, PaperAnswer, PaperList, PaperOptions, PaperState } from '#shared/papers/papers.ts'
import type { PaperCounts } from '#shared/papers/papers-response.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { Optional } from './column-types.ts'

/** Empty once the person's data was deleted. */
export type CertificateContent = Partial<{
  lastName: string
  firstName: string
  middleName: string
  extensionName: string
  serialNumber: string
  signatories: readonly Signatory[]
}>

/** What leaves the office: lists for agencies, and certificates. */
export interface PaperTables {
  layoutBases: {
    id: string
    layout: LayoutCode
    fileName: string
    // The cleaned workbook, without the parts in `removed`.
    bytes: Buffer
    // One entry for each sheet of the layout.
    headings: ColumnType<readonly BaseSheet[], string, never>
    removed: readonly string[]
    uploadedById: Optional<string>
    uploadedAt: Date
    retiredAt: Optional<Date>
  }
  papers: {
    id: string
    layout: LayoutCode
    title: string
    academicYear: string
    termId: Optional<string>
    components: readonly NstpComponent[]
    // jsonb: written as text.
    options: ColumnType<PaperOptions, string, string>
    state: Generated<PaperState>
    definition: ColumnType<FrozenDefinition | null, string | null | undefined, string | null>
    baseId: Optional<string>
    counts: ColumnType<PaperCounts | null, string | null | undefined, string | null>
    digest: Optional<string>
    dueOn: Optional<string>
    sentOn: Optional<string>
    sentHow: Generated<string>
    answeredOn: Optional<string>
    agencyReference: Generated<string>
    note: Generated<string>
    follows: Optional<string>
    createdById: Optional<string>
    createdAt: Date
    frozenById: Optional<string>
    frozenAt: Optional<Date>
    version: Generated<number>
  }
  paperRows: {
    paperId: string
    list: PaperList
    number: number
    studentId: Optional<string>
    // The values, in the order of the paper's definition; ['erased'] when the record was deleted.
    cells: ColumnType<readonly string[], string, string>
    serial: Generated<string>
  }
  paperAnswers: {
    paperId: string
    code: string
    // Ids of one or two students in ascending order, with a blank between them.
    subject: string
    answer: PaperAnswer
    reason: string
    byId: Optional<string>
    at: Date
  }
  certificateNumbers: {
    year: number
    last: number
  }
  certificates: {
    id: string
    number: string
    code: string
    kind: CertificateKind
    component: NstpComponent
    academicYear: string
    studentId: string | null
    content: ColumnType<CertificateContent, string, string>
    issuedOn: string
    issuedById: Optional<string>
    issuedAt: Date
    batchId: string
    prints: Generated<number>
    revokedById: Optional<string>
    revokedAt: Optional<Date>
    revokeReason: Generated<string>
  }
}

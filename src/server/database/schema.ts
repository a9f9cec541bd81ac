import type { ColumnType, Generated, GeneratedAlways, Kysely, Transaction } from 'kysely'
import type { MailContent } from '#server/features/mail/mailer.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AnnouncementCategory } from '#shared/announcements/announcements.ts'
import type { Attachment, Picture } from '#shared/files/picture.ts'
import type {
  ImportChange,
  ImportMapping,
  ImportRow,
  ReadingChoices,
  ReadingNote,
} from '#shared/imports/import-response.ts'
import type {
  DateOrder,
  ImportPurpose,
  ImportRowState,
  ImportState,
  UpdateKey,
} from '#shared/imports/imports.ts'
import type { MatchedBy } from '#shared/imports/match-people.ts'
import type { BatchDecision, BatchKind, MailKind, MailState } from '#shared/mail/mail.ts'
import type { BatchSource } from '#shared/mail/mail-response.ts'
import type { SignInWay } from '#shared/mail/mail-sign-in.ts'
import type { Department } from '#shared/org-chart/org-chart.ts'
import type { Role } from '#shared/people/permissions.ts'
import type { closedOutcomes, RequestKind, Restriction } from '#shared/privacy/privacy.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { CreditGround, CreditKind } from '#shared/terms/credits.ts'
import type { EnteredPart, Scores } from '#shared/terms/mark-proposal.ts'
import type { MarkScheme } from '#shared/terms/mark-scheme.ts'
import type {
  EnrolmentChange,
  EnrolmentEntry,
  EnrolmentStatus,
  Level,
  Outcome,
  SectionTakes,
  Semester,
  TermState,
} from '#shared/terms/terms.ts'
import type { AttendanceTables } from './attendance-tables.ts'
import type { BigNumber, Optional, Timestamp } from './column-types.ts'
import type { OwnPageTables } from './own-page-tables.ts'
import type { PaperTables } from './paper-tables.ts'

/**
 * The tables as kysely sees them. Column names are camelCase here and snake_case in the database; the pool's
 * CamelCasePlugin translates. Each migration that changes a table changes its type here.
 */

type StudentTexts = Record<Exclude<StudentField, 'yearLevel'>, string>

export interface Tables extends AttendanceTables, PaperTables, OwnPageTables {
  students: StudentTexts & {
    id: string
    reference: string
    registrationDate: Timestamp
    status: Generated<string>
    archived: Generated<boolean>
    archivedDate: Date | null
    importId: Optional<string>
    version: Generated<number>
    consentVersion: string
    consentedAt: Date
    guardianConsentedAt: Optional<Date>
    restriction: Optional<Restriction>
    yearLevel: number
    submissionKey: string | null
    submissionHash: string | null
    network: Optional<string>
    mergedIds: Generated<string[]>
    nameKey: GeneratedAlways<string>
    emailKey: GeneratedAlways<string | null>
    studentIdKey: GeneratedAlways<string | null>
    sortName: GeneratedAlways<string>
  }
  admins: {
    id: string
    email: string
    displayName: string
    passwordHash: string
    createdAt: Timestamp
    passwordChangedAt: Timestamp
    studentsSeenAt: Timestamp
    hasFirstPassword: Generated<boolean>
    secondFactorDue: Optional<Date>
    role: Generated<Role>
    components: Generated<readonly NstpComponent[]>
    expiresOn: Optional<string>
    disabledAt: Optional<Date>
    seesPhoneNumbers: Generated<boolean>
    version: Generated<number>
  }
  sessions: {
    tokenHash: Buffer
    adminId: string
    createdAt: Timestamp
    lastUsedAt: Timestamp
    userAgent: Generated<string>
    id: Generated<string>
    clientAddress: Generated<string>
    deviceHash: Buffer | null
    provenAt: Timestamp
    recordsSince: Date | null
    recordsRead: Generated<number>
    removalsSince: Date | null
    removals: Generated<number>
    isKept: Generated<boolean>
  }
  secondFactors: {
    adminId: string
    secret: Buffer
    confirmedAt: Date | null
    lastStep: BigNumber
    begunAt: Timestamp
    attempts: Generated<number>
  }
  recoveryCodes: {
    adminId: string
    codeHash: Buffer
  }
  knownDevices: {
    tokenHash: Buffer
    adminId: string
    lastUsedAt: Timestamp
  }
  signInFailures: {
    subject: string
    failures: number
    lastFailureAt: Date
    blockedUntil: Date | null
  }
  rejectedStudents: {
    id: string
    rejectionId: string
    rejectedAt: Date
    record: unknown
    waiting: string[]
    actor: Generated<string>
    isUndone: Generated<boolean>
  }
  undoableChanges: {
    changeId: string
    studentId: string
    at: Date
    adminId: string | null
    version: number
    before: unknown
    dropped: unknown | null
  }
  // A pair that isn't a duplicate; the ids in ascending order.
  differentStudents: {
    firstId: string
    secondId: string
    notedAt: Timestamp
  }
  terms: {
    id: string
    academicYear: string
    semester: Semester
    startsOn: string
    endsOn: string
    state: Generated<TermState>
    createdAt: Date
    version: Generated<number>
  }
  sections: {
    id: string
    termId: string
    component: NstpComponent
    level: Level
    unit: Generated<string>
    name: string
    capacity: number
    takes: Generated<SectionTakes>
    // An empty list means all courses.
    courses: Generated<string[]>
    adviser: Generated<string>
    meets: Generated<string>
    position: number
    version: Generated<number>
  }
  enrolments: {
    id: string
    termId: string
    studentId: string
    component: NstpComponent
    level: Level
    sectionId: Optional<string>
    status: Generated<EnrolmentStatus>
    statusOn: string
    reason: Generated<string>
    entry: EnrolmentEntry
    school: Generated<string>
    officialAt: Optional<Date>
    mark: Generated<string>
    // numeric: pg returns text.
    percent: Optional<string>
    parts: ColumnType<EnteredPart[] | null, string | null | undefined, string | null>
    scores: ColumnType<Scores, string | undefined, string>
    outcome: Generated<Outcome>
    version: Generated<number>
  }
  enrolmentChanges: {
    id: string
    enrolmentId: string
    at: Date
    byId: Optional<string>
    what: EnrolmentChange
    before: unknown
    after: unknown
    reason: Generated<string>
    batchId: Optional<string>
    version: number
  }
  markSchemes: {
    termId: string
    component: NstpComponent
    scheme: ColumnType<MarkScheme | null, string | null, string | null>
  }
  credits: {
    id: string
    studentId: string
    kind: CreditKind
    level: Optional<Level>
    component: Optional<NstpComponent>
    school: Generated<string>
    academicYear: Generated<string>
    mark: Generated<string>
    ground: CreditGround
    evidence: string
    decidedById: Optional<string>
    decidedAt: Date
    revokedById: Optional<string>
    revokedAt: Optional<Date>
    revokeReason: Generated<string>
    batchId: Optional<string>
  }
  topics: {
    name: string
    // bigint: pg returns text.
    version: ColumnType<string, number | string, number | string>
  }
  auditEvents: {
    id: string
    at: Date
    action: string
    adminId: string | null
    actor: string
    clientAddress: string
    userAgent: string
    requestId: string
    studentId: string | null
    subject: string
    fields: string[]
    affected: number
    detail: Record<string, string | number | boolean | null>
  }
  auditStudents: {
    eventId: string
    studentId: string
  }
  auditValues: {
    eventId: string
    studentId: string | null
    before: Record<string, unknown>
    after: Record<string, unknown>
  }
  auditChain: {
    // bigint: pg returns text.
    position: string
    eventId: string
    at: Date
    digest: Buffer
    hash: Buffer
  }
  files: {
    // SHA-256 of the bytes, in hexadecimal.
    id: string
    mediaType: string
    bytes: Buffer
    width: number | null
    height: number | null
    fileName: string | null
    createdAt: Timestamp
  }
  announcements: {
    id: string
    version: Generated<number>
    title: string
    content: string
    category: AnnouncementCategory
    pinned: boolean
    publishedAt: Date | null
    expireAt: Date | null
    // The time of an event; null for none, and for other categories.
    eventAt: Optional<Date>
    place: Generated<string>
    image: Picture | null
    attachment: Attachment | null
    createdAt: Date
    updatedAt: Date
    createdBy: string | null
    authorEmail: string
    // A component, '' for all, null for none.
    mailTo: Optional<string>
    mailedAt: Optional<Date>
    // '' for no problem.
    mailProblem: Generated<string>
    deletedAt: Optional<Date>
  }
  slides: {
    id: string
    version: Generated<number>
    title: string
    description: string
    image: Picture
    active: boolean
    position: number
    createdAt: Date
    updatedAt: Date
  }
  orgNodes: {
    id: string
    version: Generated<number>
    name: string
    title: string
    department: Department
    parentId: string | null
    position: number
    image: Picture | null
    createdAt: Date
    updatedAt: Date
  }
  cleanUps: {
    onlyRow: Generated<boolean>
    at: Date
  }
  keptKeys: {
    onlyRow: Generated<boolean>
    sealed: Buffer
  }
  lastBackup: {
    onlyRow: Generated<boolean>
    at: Date
    isSealed: boolean
  }
  nightlyBackup: {
    onlyRow: Generated<boolean>
    version: Generated<number>
    folder: Generated<string>
    passphrase: Buffer | null
    changedAt: Date | null
    triedAt: Date | null
    madeAt: Date | null
    // bigint: pg returns text.
    bytes: ColumnType<string | null, number | null, number | null>
    kept: number | null
    failure: string | null
  }
  settings: {
    onlyRow: Generated<boolean>
    version: number
    changed: Record<string, unknown>
    changedAt: Timestamp
  }
  imports: {
    id: string
    fileName: string
    createdAt: Date
    createdBy: string
    createdById: Optional<string>
    state: ImportState
    rowCount: number
    headers: string[]
    guessedDateOrder: DateOrder
    mapping: ImportMapping | null
    updateBy: UpdateKey | null
    held: { courses: string[]; academicYears: string[] } | null
    consentedAt: Date | null
    workToken: string | null
    workUntil: Date | null
    workRow: Generated<number>
    progress: Generated<number>
    actor: Actor | null
    failure: string | null
    readyCount: Generated<number>
    problemCount: Generated<number>
    duplicateCount: Generated<number>
    skippedCount: Generated<number>
    unchangedCount: Generated<number>
    unmatchedCount: Generated<number>
    differsCount: Generated<number>
    importedCount: Generated<number>
    importedAt: Date | null
    undoneAt: Date | null
    rowsDeletedAt: Date | null
    purpose: Generated<ImportPurpose>
    termId: Optional<string>
    paperId: Optional<string>
    reference: Generated<string>
    receivedOn: Optional<string>
    reason: Generated<string>
    reading: { choices: ReadingChoices; notes: ReadingNote[]; asksDateOrder: boolean } | null
  }
  importFiles: {
    importId: string
    bytes: Buffer
  }
  importRows: {
    importId: string
    number: number
    cells: string[]
    edits: Record<string, string>
    fields: Record<string, string>
    registrationDate: Date | null
    archivedDate: Date | null
    recordId: string | null
    recordVersion: number | null
    changes: ImportChange[] | null
    problems: ImportRow['problems']
    serialStop: Generated<string>
    serialQuestion: Generated<string>
    matches: ImportRow['matches']
    decision: 'skip' | 'take' | null
    state: ImportRowState | 'unchecked'
    enrolmentId: string | null
    matchedBy: MatchedBy | null
    // bigint: pg returns text.
    nameKey: GeneratedAlways<string | null>
    emailKey: GeneratedAlways<string | null>
    studentIdKey: GeneratedAlways<string | null>
  }
  mailAccount: {
    onlyRow: Generated<boolean>
    version: Generated<number>
    senderAddress: string
    senderName: string
    userName: string
    password: Buffer | null
    host: string
    port: number
    secure: boolean
    imapHost: string
    imapPort: number
    signIn: Generated<SignInWay>
    tokenEndpoint: Generated<string>
    tokenScope: Generated<string>
    clientId: Generated<string>
    clientSecret: Optional<Buffer>
    refreshToken: Optional<Buffer>
    updatedAt: Date
  }
  mailMailbox: {
    onlyRow: Generated<boolean>
    uidValidity: Generated<string>
    lastUid: BigNumber
    checkedAt: Optional<Date>
    failure: Generated<string>
    claim: Optional<string>
    claimedUntil: Optional<Date>
  }
  mailBatches: {
    id: string
    kind: BatchKind
    subject: string
    template: string
    body: Generated<string>
    bodyFormat: Generated<'text' | 'html'>
    state: Generated<BatchDecision>
    createdAt: Date
    createdBy: string
    createdById: Optional<string>
    source: ColumnType<BatchSource, string, string>
    announcementId: string | null
    repeatOf: string | null
    recipientCount: number
    optedOutCount: Generated<number>
    duplicateCount: Generated<number>
    invalidCount: Generated<number>
    optedOutPositions: Generated<number[]>
    submissionKey: string | null
    submissionHash: Optional<string>
  }
  mailMessages: {
    id: string
    kind: MailKind
    batchId: string | null
    studentId: string | null
    rejectedId: Optional<string>
    recipient: string
    subject: string
    content: ColumnType<MailContent, string, string>
    state: Generated<MailState>
    priority: number
    createdAt: Date
    notBefore: Date
    attempts: Generated<number>
    claim: Optional<string>
    claimedUntil: Optional<Date>
    endedAt: Optional<Date>
    failure: Generated<string>
    searchText: GeneratedAlways<string>
  }
  mailBounces: {
    id: string
    messageId: string | null
    studentId: string | null
    recipient: string
    receivedAt: Date
    status: string
    diagnostic: Generated<string>
    resolvedAt: Optional<Date>
    mailboxUid: string
  }
  erasures: {
    recordHash: Buffer
    erasedAt: Date
  }
  privacyRequests: {
    id: string
    kind: RequestKind
    reference: string
    receivedOn: string
    dueOn: string
    closedOn: Optional<string>
    outcome: Optional<(typeof closedOutcomes)[number]>
  }
  privacyBreaches: {
    id: string
    noticedAt: Date
    happened: string
    data: string
    measures: string
    people: number
    commissionAt: Optional<Date>
    peopleAt: Optional<Date>
  }
  mailOptOuts: {
    addressHash: Buffer
    optedOutAt: Date
    keyMark: Optional<Buffer>
  }
  apiTokens: {
    id: string
    name: string
    tokenHash: Buffer
    prefix: string
    createdAt: Date
    createdById: string
    lastUsedAt: Optional<Date>
    revokedAt: Optional<Date>
    expiresAt: Timestamp
    domain: Generated<string>
    dailyLimit: Optional<number>
    usedOn: Generated<string>
    usedCount: Generated<number>
  }
}

export type StudentsTable = Tables['students']
export type AnnouncementsTable = Tables['announcements']
export type SlidesTable = Tables['slides']
export type OrgNodesTable = Tables['orgNodes']
export type ImportsTable = Tables['imports']
export type ImportRowsTable = Tables['importRows']
export type MailAccountTable = Tables['mailAccount']
export type MailBatchesTable = Tables['mailBatches']
export type MailMessagesTable = Tables['mailMessages']
export type MailBouncesTable = Tables['mailBounces']
export type ApiTokensTable = Tables['apiTokens']
export type TermsTable = Tables['terms']
export type SectionsTable = Tables['sections']
export type EnrolmentsTable = Tables['enrolments']
export type PapersTable = Tables['papers']
export type PaperRowsTable = Tables['paperRows']

export type Queryable = Kysely<Tables> | Transaction<Tables>

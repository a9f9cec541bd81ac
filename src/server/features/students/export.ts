import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { toAppError } from '#server/database/errors.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { type Access, accessOf } from '#server/lib/access.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { after } from '#server/lib/scheduler.ts'
import { isVisible } from '#server/lib/visible.ts'
import { type Column, writeWorkbook } from '#server/spreadsheet/workbook.ts'
import type { AccountScope } from '#shared/people/permissions.ts'
import { type Restriction, restrictionLabels } from '#shared/privacy/privacy.ts'
import {
  fieldDefinition,
  type RecordMember,
  type StudentField,
  studentFieldNames,
} from '#shared/students/student-fields.ts'
import type { StudentSelection } from './filter-and-order-repository.ts'
import { createStudentsRepository, type StudentRow } from './repository.ts'

type ExportThread = NonNullable<AppContext['exportThread']>

/** Can be sent to another thread. */
export interface StudentExport {
  selection: Omit<StudentSelection, 'access'>
  account: AccountScope
  created: Date
  timeZone: string
}

export interface ExportThreadData extends Pick<ExportThread, 'connection'> {
  request: StudentExport
}

interface OpenExport {
  total: number
  // To be read to its end or destroyed.
  workbook: Readable
}

export async function openExport(
  database: AppDatabase,
  { selection, account, created, timeZone }: StudentExport,
): Promise<OpenExport> {
  const access = accessOf(account)
  const repository = createStudentsRepository(database, timeZone)
  const { batches, total, close } = await repository.openAll({ ...selection, access })
  const workbook = writeWorkbook({
    title: 'NSTP students',
    sheetName: 'Students',
    created,
    timeZone,
    columns: columnsFor(access),
    rows: batches,
  })
  workbook.once('close', () => void close())
  return { total, workbook }
}

// The thread's heap in megabytes. Without a limit the thread would take all memory of the machine.
const heapLimit = 128
// How many bytes wait for a browser that for a moment reads faster than the thread writes.
const readAhead = 256 * 1024

// After so many ms without an answer the database counts as frozen. Before its first piece the export is counted and
// sorted, which takes longer with up to a million records.
const firstAnswerMs = 30_000
const answerMs = 10_000

/**
 * Opens an export in a thread with a connection of its own, so that a hundred thousand records delay no other request. The
 * thread sends as much as is read; destroying the workbook ends it, and its connection with it.
 */
export function openExportInThread(
  { file, connection }: ExportThread,
  request: StudentExport,
): Promise<OpenExport> {
  const thread = new Worker(file, {
    workerData: { connection, request } satisfies ExportThreadData,
    resourceLimits: { maxOldGenerationSizeMb: heapLimit },
  })
  const workbook = new Readable({
    highWaterMark: readAhead,
    read() {
      thread.postMessage('next')
      awaitAnswer()
    },
    destroy(error, done) {
      cancel?.()
      void thread.terminate().then(() => done(error))
    },
  })
  let longestMs = firstAnswerMs
  let cancel: (() => void) | undefined
  const awaitAnswer = () => {
    cancel?.()
    cancel = after(longestMs, () => workbook.destroy(new AppError('unavailable')))
  }
  awaitAnswer()
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const failure = toAppError(error) ?? error
      reject(failure)
      workbook.destroy(failure)
    }
    // It may fail before the workbook has a reader.
    workbook.on('error', reject)
    thread.on('message', (message: number | Uint8Array) => {
      cancel?.()
      if (typeof message === 'number') return resolve({ total: message, workbook })
      longestMs = answerMs
      workbook.push(message)
    })
    thread.on('error', fail)
    thread.on('exit', (code) => {
      cancel?.()
      if (code === 0) workbook.push(null)
      else fail(new AppError('unavailable'))
    })
  })
}

const widths = { least: 10, most: 40 } as const

function columnsFor(access: Access): readonly Column<StudentRow>[] {
  return columns.flatMap(({ of, ...column }) => (of === undefined || isVisible(of, access) ? column : []))
}

const columns: readonly (Column<StudentRow> & { of?: RecordMember })[] = [
  { header: 'Reference', width: 16, kind: 'text', value: (student) => student.reference },
  { header: 'Registration Date', width: 18, kind: 'instant', value: (student) => student.registrationDate },
  ...studentFieldNames.map((field) => ({ ...fieldColumn(field), of: field })),
  { header: 'Status', width: 12, kind: 'text', value: (student) => student.status },
  { header: 'Archived', width: 10, kind: 'text', value: (student) => (student.archived ? 'Yes' : 'No') },
  { header: 'Archived Date', width: 18, kind: 'instant', value: (student) => student.archivedDate },
  {
    header: 'Restriction',
    width: 18,
    kind: 'text',
    value: (student) => restrictionText(student.restriction),
  },
  {
    header: 'Privacy Consent',
    width: 18,
    kind: 'instant',
    value: (student) => student.consentedAt,
    of: 'consentedAt',
  },
  {
    header: 'Consent Text Version',
    width: 22,
    kind: 'text',
    value: (student) => student.consentVersion,
    of: 'consentVersion',
  },
  {
    header: 'Guardian Consent',
    width: 18,
    kind: 'instant',
    value: (student) => student.guardianConsentedAt,
    of: 'guardianConsentedAt',
  },
]

const restrictionText = (restriction: Restriction | null) =>
  restriction ? restrictionLabels[restriction] : ''

function fieldColumn(field: StudentField): Column<StudentRow> {
  const { label, max } = fieldDefinition(field)
  const width = Math.min(widths.most, Math.max(widths.least, label.length + 4, Math.round(max / 5)))
  if (field === 'yearLevel') {
    return { header: label, width, kind: 'number', value: (student) => student.yearLevel }
  }
  if (field === 'dateOfBirth') {
    return { header: label, width, kind: 'date', value: (student) => student.dateOfBirth }
  }
  return { header: label, width, kind: 'text', value: (student) => student[field] }
}

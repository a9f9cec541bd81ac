import type { Readable } from 'node:stream'
import { validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { ChangeContext } from '#server/lib/change.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { after } from '#server/lib/scheduler.ts'
import type { Column } from '#server/spreadsheet/column.ts'
import { writeWorkbook } from '#server/spreadsheet/workbook.ts'
import type { StudentAudience } from '#shared/mail/mail.ts'
import { datesOf, type Period, type PeriodCalendar, periodRange } from '#shared/periods.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import {
  defaultStudentFilters,
  maxBulkStudents,
  type StudentFilters,
  type StudentListQuery,
} from '#shared/students/students.ts'
import { createDuplicatesRepository } from './change-repository.ts'
import {
  type AddressedStudent,
  createChoicesRepository,
  createMailingRepository,
  createStudentsRepository,
  createUnseenRepository,
  type StudentRow,
} from './repository.ts'
import type { StudentSelection } from './selection-repository.ts'

// Each uses a connection of the pool that backups use.
const maxExports = 2
// ms: an export keeps a snapshot open.
const exportLimitMs = 10 * 60_000

interface StudentsServiceOptions extends Pick<ChangeContext, 'audit' | 'clock'> {
  database: AppDatabase
  // Time zone of the program: for periods and for the workbook.
  timeZone: string
  // Read at each call, because settings may change.
  settings: () => Pick<Settings, 'semesters'>
}

export interface StudentExport {
  fileName: string
  workbook: Readable
}

export function createStudentsService(options: StudentsServiceOptions) {
  const { database, clock, timeZone, settings, audit } = options
  const repository = createStudentsRepository(database, timeZone)
  const duplicates = createDuplicatesRepository(database.db)
  let exportsRunning = 0

  function calendar(): PeriodCalendar {
    return { now: clock(), timeZone, semesters: settings().semesters }
  }

  async function selectionOf({
    period,
    duplicates: which,
    ...filters
  }: StudentFilters): Promise<StudentSelection> {
    const duplicateIds = which === 'only' ? await duplicates.findAll() : undefined
    return { ...filters, registered: periodRange(period, calendar()), ids: duplicateIds }
  }

  function periodDates(period: Period) {
    const range = periodRange(period, calendar())
    return range && datesOf(range, calendar())
  }

  async function openNoted(filters: StudentFilters, actor: Actor) {
    const cursor = await repository.openAll(await selectionOf(filters))
    // The search text may be a person's name, so only the fact of a search is stored.
    const { search, ...detail } = filters
    await audit
      .record(database.db, {
        action: 'students-exported',
        actor,
        affected: cursor.total,
        detail: { ...detail, searched: search !== '' },
      })
      .catch(async (error: unknown) => {
        await cursor.close()
        throw error
      })
    return cursor
  }

  return {
    async list({ page, pageSize, ...filters }: StudentListQuery) {
      const { rows, total } = await repository.list(await selectionOf(filters), {
        limit: pageSize,
        offset: (page - 1) * pageSize,
      })
      return {
        items: rows,
        total,
        anyRegistered: total > 0 || (await repository.hasAny()),
        page,
        pageSize,
        periodDates: periodDates(filters.period),
      }
    },

    ...createChoicesRepository(database.db),

    async activeIds(filters: StudentFilters) {
      const ids = await repository.activeIds(await selectionOf(filters), maxBulkStudents + 1)
      if (ids.length > maxBulkStudents) {
        const most = maxBulkStudents.toLocaleString('en-US')
        throw new AppError(
          'too_big',
          `The list has more than ${most} students, too many to select at once. Please narrow it down.`,
        )
      }
      return { ids, total: ids.length }
    },

    async read(id: string, actor: Actor) {
      const row = isUuid(id) ? await repository.find(id) : undefined
      if (!row) throw new AppError('not_found', 'Student not found')
      await audit.recordView(database.db, {
        action: 'student-viewed',
        actor,
        studentId: row.id,
        subject: row.reference,
      })
      return row
    },

    /** The caller must read the workbook to its end or destroy it. */
    async export(filters: StudentFilters, actor: Actor): Promise<StudentExport> {
      if (exportsRunning >= maxExports) {
        const detail = 'Other exports are still being downloaded. Please try again in a moment.'
        throw new AppError('too_many_requests', { detail, retryAfter: 10 })
      }
      exportsRunning += 1
      const cursor = await openNoted(filters, actor).catch((error: unknown) => {
        exportsRunning -= 1
        throw error
      })
      const now = clock()
      const workbook = writeWorkbook({
        title: 'NSTP students',
        sheetName: 'Students',
        creator: 'NSTP Portal',
        created: now,
        timeZone,
        columns: studentColumns,
        rows: cursor.rows,
      })
      const cancelLimit = after(exportLimitMs, () => {
        workbook.destroy(new AppError('unavailable', 'The export took too long.'))
      })
      // However it ends: read to the end, broken off by the browser, or failed.
      workbook.once('close', () => {
        cancelLimit()
        exportsRunning -= 1
        void cursor.close()
      })
      return { fileName: `NSTP students ${calendarDateOf(now, timeZone)}.xlsx`, workbook }
    },
  }
}

const widths = { least: 10, most: 40 } as const

const studentColumns: readonly Column<StudentRow>[] = [
  { header: 'Reference', width: 16, kind: 'text', value: (student) => student.reference },
  { header: 'Registration Date', width: 18, kind: 'instant', value: (student) => student.registrationDate },
  ...studentFieldNames.map(fieldColumn),
  { header: 'Status', width: 12, kind: 'text', value: (student) => student.status },
  { header: 'Archived', width: 10, kind: 'text', value: (student) => (student.archived ? 'Yes' : 'No') },
  { header: 'Archived Date', width: 18, kind: 'instant', value: (student) => student.archivedDate },
  { header: 'Privacy Consent', width: 18, kind: 'instant', value: (student) => student.consentedAt },
  { header: 'Consent Text Version', width: 22, kind: 'text', value: (student) => student.consentVersion },
]

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

export function createUnseenStudents({ db, clock }: { db: Queryable; clock: Clock }) {
  const repository = createUnseenRepository(db)
  return {
    count: async ({ adminId }: Actor): Promise<number> =>
      adminId === null ? 0 : await repository.count(adminId),

    async markSeen({ adminId }: Actor): Promise<void> {
      if (adminId !== null) await repository.markSeen(adminId, clock())
    },
  }
}

export function createStudentMailing({
  clock,
  timeZone,
  settings,
}: Pick<StudentsServiceOptions, 'clock' | 'timeZone' | 'settings'>) {
  function selectionOf({ component, academicYear, archive, period }: StudentAudience) {
    const { sort, search } = defaultStudentFilters
    const calendar = { now: clock(), timeZone, semesters: settings().semesters }
    return {
      sort,
      search,
      component: component ?? defaultStudentFilters.component,
      academicYear: academicYear ?? defaultStudentFilters.academicYear,
      archive: archive ?? defaultStudentFilters.archive,
      registered: periodRange(period ?? defaultStudentFilters.period, calendar),
    }
  }

  return {
    /** @param lock locks the students until the transaction `db` ends */
    addressed: (
      db: Queryable,
      audience: StudentAudience,
      { limit, lock }: { limit: number; lock: boolean },
    ): Promise<AddressedStudent[]> =>
      createMailingRepository(db).addressed(selectionOf(audience), {
        course: audience.course ?? null,
        limit,
        lock,
      }),

    withAddresses: (
      db: Queryable,
      keys: readonly string[],
      { lock }: { lock: boolean },
    ): Promise<AddressedStudent[]> => createMailingRepository(db).withAddresses(keys, lock),
  }
}

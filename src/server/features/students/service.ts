import { finished } from 'node:stream'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { studentMissing } from '#server/lib/missing-students.ts'
import { after } from '#server/lib/scheduler.ts'
import { isVisible } from '#server/lib/visible.ts'
import { datesOf, type PeriodCalendar, periodRange } from '#shared/periods.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import {
  defaultStudentFilters,
  maxBulkStudents,
  missingFields,
  type StudentFilters,
  type StudentListQuery,
  sortFields,
  sortParts,
} from '#shared/students/students.ts'
import { createDuplicatesRepository, createStudentChangesRepository } from './change-repository.ts'
import { openExport, openExportInThread } from './export.ts'
import type { StudentSelection } from './filter-and-order-repository.ts'
import { createChoicesRepository, createStudentsRepository, createUnseenRepository } from './repository.ts'

// Each uses a connection of the pool that backups use.
const maxExports = 2
// ms: an export keeps a snapshot open.
const exportLimitMs = 10 * 60_000

export const someMissing =
  'Some of the selected students no longer exist. Please reload the list and select again.'

/** An order or a filter by a value would tell it. */
function mustMayFilter(
  { sort, missing, network }: Pick<StudentFilters, 'sort' | 'missing' | 'network'>,
  access: Access,
) {
  const asked = [sortFields[sortParts(sort).key], missingFields[missing]]
  const isHidden = asked.some((field) => field !== undefined && !isVisible(field, access))
  const isOfNetwork = network !== defaultStudentFilters.network && !access.can('students.reject')
  if (isHidden || isOfNetwork) throw new AppError('permission_denied')
}

interface StudentsServiceOptions
  extends Pick<AppContext, 'database' | 'audit' | 'clock' | 'timeZone' | 'exportThread'> {
  // Read at each call, because settings may change.
  settings: () => Pick<Settings, 'semesters'>
}

export type StudentsService = ReturnType<typeof createStudentsService>

export function createStudentsService(options: StudentsServiceOptions) {
  const { database, clock, timeZone, settings, audit, exportThread } = options
  const repository = createStudentsRepository(database, timeZone)
  let exportsRunning = 0

  function calendar(): PeriodCalendar {
    return { now: clock(), timeZone, semesters: settings().semesters }
  }

  async function selectionOf(
    { period, duplicates: which, ...filters }: StudentFilters,
    access: Access,
  ): Promise<StudentSelection> {
    mustMayFilter(filters, access)
    const duplicates = createDuplicatesRepository(database.db, access)
    const duplicateIds = which === 'only' ? await duplicates.findAll() : undefined
    return { ...filters, access, registered: periodRange(period, calendar()), ids: duplicateIds }
  }

  function periodDates(period: StudentFilters['period']) {
    const range = periodRange(period, calendar())
    return range && datesOf(range, calendar())
  }

  async function openWorkbook(filters: StudentFilters, access: Access, ids?: readonly string[]) {
    const { access: _sentApart, ...selected } = await selectionOf(filters, access)
    const selection = { ...selected, unrestricted: filters.missing !== 'permission' }
    if (ids && (await createStudentChangesRepository(database.db, access).count(ids)) < ids.length) {
      throw new AppError('conflict', someMissing)
    }
    const request = {
      selection: ids ? { ...selection, ids } : selection,
      account: access.account,
      created: clock(),
      timeZone,
    }
    return exportThread ? openExportInThread(exportThread, request) : openExport(database, request)
  }

  return {
    async list({ page, pageSize, ...filters }: StudentListQuery, actor: Staff) {
      const { search, ...detail } = filters
      const offset = (page - 1) * pageSize
      const { items, total } = await repository.list(await selectionOf(filters, actor.access), {
        limit: pageSize,
        offset,
      })
      const affected = Math.max(0, Math.min(pageSize, total - offset))
      const entry = { action: 'students-listed', actor, affected } as const
      await audit.recordView(
        database.db,
        { ...entry, detail: { ...detail, searched: search !== '' } },
        `${search} ${offset} ${pageSize}`,
      )
      return {
        items,
        total,
        anyRegistered: total > 0 || (await repository.hasAtLeast(1, actor.access)),
        page,
        pageSize,
        periodDates: periodDates(filters.period),
      }
    },

    choices: (access: Access) => createChoicesRepository(database.db, access),

    unseen: createUnseenRepository(database.db),

    async activeIds({ search, ...detail }: StudentFilters, actor: Staff) {
      const filters = { ...detail, search }
      const ids = await repository.activeIds(await selectionOf(filters, actor.access), maxBulkStudents + 1)
      if (ids.length > maxBulkStudents) {
        const most = maxBulkStudents.toLocaleString('en-US')
        throw new AppError(
          'too_big',
          `The list has more than ${most} students, too many to select at once. Please narrow it down.`,
        )
      }
      const entry = { action: 'students-listed', actor, affected: ids.length } as const
      await audit.recordView(
        database.db,
        { ...entry, detail: { ...detail, searched: search !== '', idsOnly: true } },
        search,
      )
      return { ids, total: ids.length }
    },

    async read(id: string, actor: Staff) {
      const row = mustExist(await repository.find(id, actor.access), studentMissing)
      const entry = { action: 'student-viewed', actor, studentId: row.id, subject: row.reference } as const
      await audit.recordView(database.db, entry)
      return row
    },

    /**
     * The caller must read the workbook to its end or destroy it.
     * @param selected only these of the filters' students
     */
    async export(filters: StudentFilters, actor: Staff, selected?: readonly string[]) {
      if (exportsRunning >= maxExports) {
        const detail = 'Other exports are still being downloaded. Please try again in a moment.'
        throw new AppError('too_many_requests', { detail, retryAfter: 10 })
      }
      const ids = selected && [...new Set(selected)]
      exportsRunning += 1
      const { total, workbook } = await openWorkbook(filters, actor.access, ids).catch((error: unknown) => {
        exportsRunning -= 1
        throw error
      })
      const cancelLimit = after(exportLimitMs, () => {
        workbook.destroy(new AppError('unavailable', 'The export took too long.'))
      })
      // However it ends: read to the end, broken off by the browser, or failed.
      finished(workbook, () => {
        cancelLimit()
        exportsRunning -= 1
      })
      try {
        // The search text may be a person's name, so only the fact of a search is stored.
        const { search, ...detail } = filters
        await audit.record(database.db, {
          action: 'students-exported',
          actor,
          affected: total,
          ...(ids ? { studentIds: ids } : { detail: { ...detail, searched: search !== '' } }),
        })
      } catch (error) {
        workbook.destroy()
        throw error
      }
      return { fileName: `NSTP students ${calendarDateOf(clock(), timeZone)}.xlsx`, workbook }
    },
  }
}

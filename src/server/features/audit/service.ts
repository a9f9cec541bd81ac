import { validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import { type Actor, ownActor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { monthsBefore } from '#server/lib/months-before.ts'
import { cutPiece, openPlaceCursor, placeCursor } from '#server/lib/paging.ts'
import { type AuditAction, type AuditKind, type AuditPage, quietActions } from '#shared/audit/audit.ts'
import { startOfDay } from '#shared/periods.ts'
import { type CalendarDate, dayAfter } from '#shared/program-calendar.ts'
import { createTrailRepository, type ProtectedValues, type TrailSelection } from './trail-repository.ts'

/** Entries that one statement removes: each stays well below a statement's time. */
const expiredAtOnce = 5_000
/** The days that a search may begin or end with. */
const firstDay = '1900-01-01'
const lastDay = '9000-01-01'

interface AuditServiceOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  audit: Audit
  clock: Clock
  timeZone: string
  /** How long entries are kept, in months; asked each time, because settings may change it. */
  retentionMonths: () => number
}

export interface TrailQuery {
  kind: AuditKind
  action: AuditAction | 'all'
  /** A student's id, or '' for all. */
  student: string
  search: string
  /** Calendar dates of the program, both included; '' for open. */
  from: string
  to: string
  /** A page's `nextCursor`, or ''. */
  cursor: string
  limit: number
}

export type AuditService = ReturnType<typeof createAuditService>

/** The reading side of the audit trail, and its end. */
export function createAuditService(options: AuditServiceOptions) {
  const { database, audit, clock, timeZone, retentionMonths } = options
  const trail = createTrailRepository(database.db)

  return {
    /** A piece of the trail, newest first. @throws AppError `invalid` for a cursor that none of ours is */
    async list(query: TrailQuery): Promise<AuditPage> {
      const { limit, student } = query
      if (student !== '' && !isUuid(student)) return { items: [], nextCursor: null }
      const { shown, last } = cutPiece(await trail.list(selectionOf(query, timeZone), limit + 1), limit)
      return {
        items: shown.map((row) => ({ ...row, at: row.at.toISOString() })),
        nextCursor: last ? placeCursor(last) : null,
      }
    },

    /**
     * Old and new values of one entry. Looking at them is an entry too.
     *
     * @throws AppError `not_found` also when they were erased together with the student's record
     */
    async readValues(id: string, actor: Actor): Promise<ProtectedValues> {
      const found = isUuid(id) ? await trail.findValues(id) : undefined
      if (!found) {
        throw new AppError('not_found', {
          detail: 'No values are kept with this entry, or they were erased.',
        })
      }
      const { before, after, action, studentId } = found
      await audit.record(database.db, {
        action: 'audit-values-viewed',
        actor,
        ...(studentId ? { studentId } : {}),
        detail: { entry: id, of: action },
      })
      return { before, after }
    },

    /** Removes entries that are older than the settings keep them. Gives their number. */
    async expire(): Promise<number> {
      const limit = monthsBefore(clock(), retentionMonths())
      let removed = 0
      for (let deleted = expiredAtOnce; deleted === expiredAtOnce; removed += deleted) {
        deleted = await database.transact(async (tx) => {
          const count = await createTrailRepository(tx).deleteBefore(limit, expiredAtOnce)
          if (count > 0) {
            await audit.record(tx, {
              action: 'audit-expired',
              actor: ownActor('system'),
              affected: count,
              detail: { before: limit.toISOString() },
            })
          }
          return count
        })
      }
      return removed
    },
  }
}

function selectionOf(query: TrailQuery, timeZone: string): TrailSelection {
  const { kind, action, student, search, from, to, cursor } = query
  return {
    actions: action === 'all' ? null : [action],
    exceptActions: kind === 'changes' ? quietActions : [],
    studentId: student || null,
    search,
    from: from === '' ? null : startOfDay(reckonable(from), timeZone),
    until: to === '' ? null : startOfDay(dayAfter(reckonable(to)), timeZone),
    after: openPlaceCursor(cursor),
  }
}

/** A day of our times: while somebody types a year, it is the year 2 for a moment, of which clocks know little. */
function reckonable(date: CalendarDate): CalendarDate {
  if (date < firstDay) return firstDay
  return date > lastDay ? lastDay : date
}

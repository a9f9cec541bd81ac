import { validate as isUuid } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { type Actor, ownActor, type Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { NoteRefusal } from '#server/lib/audit.ts'
import { mustExist } from '#server/lib/change.ts'
import { monthsBefore } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/lib/network.ts'
import { decodeCursor, pageOf } from '#server/lib/paging.ts'
import { every } from '#server/lib/scheduler.ts'
import { visible } from '#server/lib/visible.ts'
import { type AuditAction, type AuditKind, quietActions } from '#shared/audit/audit.ts'
import { startOfDay } from '#shared/periods.ts'
import { type CalendarDate, dayAfter } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import {
  type ChainReport,
  createTrailRepository,
  isAboutOne,
  type TrailRow,
  type TrailSelection,
} from './repository.ts'

// Limits each statement to well below the statement timeout.
const expiredAtOnce = 5_000
const firstDay = '1900-01-01'
const lastDay = '9000-01-01'

interface AuditServiceOptions extends Pick<AppContext, 'database' | 'audit' | 'clock' | 'timeZone'> {
  settings: () => Pick<Settings, 'auditRetentionMonths'>
}

export interface TrailQuery {
  kind: AuditKind
  action: AuditAction | 'all'
  student: string
  search: string
  from: string
  to: string
  cursor: string
  limit: number
}

export function createAuditService(options: AuditServiceOptions) {
  const { database, audit, clock, timeZone, settings } = options
  const trail = createTrailRepository(database.db)

  return {
    async list(query: TrailQuery, actor: Staff) {
      const { limit, student, search, cursor, ...filters } = query
      const detail = { ...filters, searched: search !== '' }
      const entry = { action: 'audit-listed', actor, affected: limit, detail } as const
      await audit.recordView(database.db, entry, cursor)
      if (student !== '' && (!isUuid(student) || !(await trail.isInScope(student, actor.access)))) {
        return { items: [], nextCursor: null }
      }
      const selection = { ...selectionOf(query, timeZone), access: actor.access }
      const found = await trail.list(selection, limit + 1)
      const isOfAll = actor.access.components === 'all'
      const own = isOfAll ? found : found.map((entry) => withoutOthers(entry, student.toLowerCase()))
      const shown = actor.access.can('audit') ? own : own.map(withoutDevice)
      return pageOf(shown, limit, ({ at }) => at)
    },

    // Missing also when they were erased together with the student's record.
    async readValues(id: string, actor: Staff) {
      const missing = 'This entry has no stored values, or they were deleted.'
      const found = mustExist(await trail.findValues(id), missing)
      const { before, after, action, studentId } = found
      const { access } = actor
      const isOfStudent =
        studentId !== null &&
        (access.components === 'all' || isAboutOne(found, studentId)) &&
        (await trail.isInScope(studentId, access))
      if (!isOfStudent && !access.can('audit')) throw new AppError('not_found', missing)
      const detail = { entry: id, of: action }
      const of = studentId ? { studentId } : {}
      await audit.record(database.db, { action: 'audit-values-viewed', actor, ...of, detail })
      return { before: visible(before, access), after: visible(after, access) }
    },

    async expire(): Promise<number> {
      const limit = monthsBefore(clock(), settings().auditRetentionMonths)
      let removed = 0
      for (let deleted = expiredAtOnce; deleted === expiredAtOnce; removed += deleted) {
        deleted = await database.transact(async (tx) => {
          const count = await createTrailRepository(tx).deleteBefore(limit, expiredAtOnce)
          const entry = { action: 'audit-expired', actor: ownActor('system'), affected: count } as const
          if (count > 0) await audit.record(tx, { ...entry, detail: { before: limit.toISOString() } })
          return count
        })
      }
      return removed
    },
  }
}

function selectionOf(query: TrailQuery, timeZone: string): Omit<TrailSelection, 'access'> {
  const { kind, action, student, search, from, to, cursor } = query
  return {
    actions: action === 'all' ? null : [action],
    exceptActions: kind === 'changes' ? quietActions : [],
    studentId: student || null,
    search,
    from: from === '' ? null : startOfDay(reckonable(from), timeZone),
    until: to === '' ? null : startOfDay(dayAfter(reckonable(to)), timeZone),
    after: decodeCursor(cursor),
  }
}

function withoutOthers(entry: TrailRow, studentId: string): TrailRow {
  if (isAboutOne(entry, studentId)) return entry
  return { ...entry, studentId: null, studentName: null, subject: '', detail: {}, hasValues: false }
}

// Privacy: where colleagues work and with what is for those who read the whole trail.
const withoutDevice = (entry: TrailRow): TrailRow => ({ ...entry, clientAddress: '', userAgent: '' })

// A date that is being typed may have the year 2.
function reckonable(date: CalendarDate): CalendarDate {
  if (date < firstDay) return firstDay
  return date > lastDay ? lastDay : date
}

const intervalMs = 60_000
const checkEveryMs = 10_000
const maxNetworks = 200
const maxNamed = 5

const detailNames = { 'sign-in-refused': 'reason', 'access-refused': 'path' } as const

type Action = keyof typeof detailNames

interface Collected {
  action: Action
  actor: Actor
  count: number
  what: Set<string>
  writtenAt: number
}

/** Security: the first refusal is written at once, later ones within a minute as one entry, so that a flood can't fill the trail or the memory. */
export function createRefusals(context: Pick<AppContext, 'audit' | 'database' | 'clock' | 'log'>) {
  const { audit, database, clock, log } = context
  const collected = new Map<string, Collected>()

  async function write({ action, actor, count, what }: Collected): Promise<void> {
    const detail = { [detailNames[action]]: [...what].join(', ') }
    try {
      await audit.record(database.db, { action, actor, affected: count, detail })
    } catch (error) {
      // The request is refused even when the trail can't be written.
      log.warn({ err: error, action, count }, 'refusals missing in the audit trail')
    }
  }

  const note: NoteRefusal = async ({ action, actor, what }) => {
    const { key, recordedActor } = entryKeyOf(action, actor)
    const entry = collected.get(key)
    if (!entry) {
      const first = { action, actor: recordedActor, writtenAt: clock().getTime() }
      collected.set(key, { ...first, count: 0, what: new Set() })
      return write({ ...first, count: 1, what: new Set([what]) })
    }
    // Prefers the actor of an attempt at an administrator's account.
    if (entry.count === 0 || actor.name !== '') entry.actor = recordedActor
    entry.count += 1
    if (entry.what.size < maxNamed) entry.what.add(what)
  }

  function entryKeyOf(action: Action, actor: Actor): { key: string; recordedActor: Actor } {
    const key = `${action} ${networkOf(actor.clientAddress)}`
    if (collected.has(key) || collected.size < maxNetworks) return { key, recordedActor: actor }
    return { key: action, recordedActor: { ...actor, clientAddress: '', userAgent: '', requestId: '' } }
  }

  async function writeDue(isLast = false): Promise<void> {
    const now = clock().getTime()
    const due: Collected[] = []
    for (const [key, entry] of collected) {
      if (!isLast && now - entry.writtenAt < intervalMs) continue
      if (entry.count === 0) {
        collected.delete(key)
        continue
      }
      due.push({ ...entry })
      collected.set(key, { ...entry, count: 0, what: new Set(), writtenAt: now })
    }
    for (const entry of due) await write(entry)
  }

  const stop = every(checkEveryMs, () => writeDue())

  return {
    note,
    writeDue,
    async close(): Promise<void> {
      stop()
      await writeDue(true)
    },
  }
}

/** Whoever removes the newest entries doesn't reach the log: it has their number and hash, and nothing else of them. */
export async function logTrailHead({ db, log }: Pick<AppContext, 'db' | 'log'>): Promise<void> {
  try {
    const head = await createTrailRepository(db).head()
    if (head) log.info(head, 'last entry of the audit trail')
  } catch (error) {
    log.warn({ err: error }, 'the last entry of the audit trail was not read')
  }
}

export interface TrailCheck extends ChainReport {
  /** A sentence, when the trail is not as it was written. */
  fault: string | undefined
  /** A sentence, when some entries could be checked in part alone. */
  exception: string | undefined
}

export async function checkTrail(db: Queryable): Promise<TrailCheck> {
  const report = await createTrailRepository(db).verify()
  return { ...report, fault: faultOf(report), exception: exceptionOf(report) }
}

function exceptionOf({ withoutStudents: count }: ChainReport): string | undefined {
  if (count === 0) return undefined
  const entries = count === 1 ? '1 entry' : `${count} entries`
  return `Of ${entries} about several students, made by release 0.2.0, everything but the list of students was checked.`
}

function faultOf({ broken, brokenAt, unlinked }: ChainReport): string | undefined {
  const faults: string[] = []
  if (broken === 1) faults.push(`entry ${brokenAt.join()} is not as it was written`)
  if (broken > 1) {
    const others = broken > brokenAt.length ? `, and ${broken - brokenAt.length} more` : ''
    faults.push(`entries ${brokenAt.join(', ')}${others} are not as they were written`)
  }
  if (unlinked > 0) faults.push(`${unlinked} entries were written past its chain`)
  return faults.length > 0 ? `The audit trail was changed: ${faults.join('; ')}.` : undefined
}

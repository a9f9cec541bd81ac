import { isDeepStrictEqual } from 'node:util'
import type { AppDatabase, TransactOptions } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Topic } from '#shared/topics.ts'
import type { Access } from './access.ts'
import type { Staff } from './actor.ts'
import type { Audit, AuditEntry, RecordEntry } from './audit.ts'
import type { Clock } from './clock.ts'
import { AppError } from './errors.ts'

export interface ChangeContext {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

/** ms: longer than the screens offer it. */
export const undoMs = 10 * 60_000

export type RecordChange = (entry: AuditEntry | readonly RecordEntry[]) => Promise<void>

/**
 * One transaction of a change and its entry in the audit trail; after it, the notice. Without an entry nothing was
 * changed.
 */
export async function commitChange<T>(
  { database, audit, publish }: Omit<ChangeContext, 'clock'>,
  topic: Topic,
  work: (tx: Queryable, record: RecordChange) => Promise<T>,
  options?: TransactOptions,
): Promise<T> {
  let isChanged = false
  const result = await database.transact((tx) => {
    isChanged = false
    return work(tx, async (entry) => {
      isChanged = true
      await ('action' in entry ? audit.record(tx, entry) : audit.recordEach(tx, entry))
    })
  }, options)
  if (isChanged) publish(topic)
  return result
}

/** Changes of a topic that begin alike: `open` makes the repository and takes its lock. */
export function changesOf<Repository>(
  context: Omit<ChangeContext, 'clock'>,
  topic: Topic,
  open: (tx: Queryable) => Promise<Repository>,
) {
  return <T>(work: (repository: Repository, tx: Queryable, record: RecordChange) => Promise<T>): Promise<T> =>
    commitChange(context, topic, async (tx, record) => await work(await open(tx), tx, record))
}

/** @throws AppError `not_found` */
export function mustExist<Row>(row: Row | null | undefined, missing?: string): Row {
  if (row == null) throw new AppError('not_found', missing)
  return row
}

/**
 * @param version the version that the change was based on; undefined for any
 * @throws AppError `not_found`; `conflict` when it was changed since
 */
export function mustBeCurrent<Row extends { version: number }>(
  row: Row | undefined,
  missing: string,
  version?: number,
): Row {
  const found = mustExist(row, missing)
  if (version !== undefined && found.version !== version) throw new AppError('conflict')
  return found
}

/** An office-wide account may treat everything as its own, whoever made it. */
export function isOwn(madeBy: string | null | undefined, { adminId, access }: Staff): boolean {
  return access.components === 'all' || (adminId !== null && madeBy === adminId)
}

/**
 * Before what somebody made is ended, undone or deleted: by another account it must be an office-wide one.
 * @throws AppError `permission_denied`
 */
export function mustBeOwn(madeBy: string | null, actor: Staff): void {
  if (isOwn(madeBy, actor)) return
  throw new AppError(
    'permission_denied',
    'Only an office-wide account can end or undo what somebody else made.',
  )
}

/** @throws AppError `permission_denied`: then the record would be out of sight */
export function mustInclude(access: Access, component: string): void {
  if (access.includes(component)) return
  const detail = 'Only an office-wide account can move a student to another component.'
  throw new AppError('permission_denied', detail)
}

interface FieldChanges<Row> {
  fields: (keyof Row & string)[]
  before: Partial<Row>
  after: Partial<Row>
}

/** What differs, of the given fields. */
export function changesBetween<Row extends object>(
  row: Row,
  wanted: { [Name in keyof Row]?: Row[Name] | undefined },
): FieldChanges<Row> {
  // The names of `wanted` are those of a row, which Object.keys doesn't know.
  const names = Object.keys(wanted) as (keyof Row & string)[]
  const fields = names.filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(row[name], wanted[name]),
  )
  return { fields, before: pick(row, fields) as Partial<Row>, after: pick(wanted, fields) as Partial<Row> }
}

export function pick<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>
}

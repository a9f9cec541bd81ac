import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Access } from '#server/lib/access.ts'
import { tokenMark } from '#server/lib/actor.ts'
import type { Position } from '#server/lib/paging.ts'

export function allOf(...conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<SqlBool> {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(given, sql` and `)}`
}

/**
 * The condition of the students that somebody may see; undefined for all, so that the statement stays as it is.
 * @param component 'all', or the one that is asked for
 */
export function inScope(
  { components }: Access,
  { component = 'all', column = 'nstp_component' } = {},
): RawBuilder<SqlBool> | undefined {
  const named = sql.raw(column)
  if (component !== 'all') {
    const isOutside = components !== 'all' && !components.some((own) => own === component)
    return isOutside ? sql<SqlBool>`false` : sql<SqlBool>`${named} = ${component}`
  }
  if (components === 'all') return undefined
  const [only, ...others] = components
  return others.length === 0
    ? sql<SqlBool>`${named} = ${only}`
    : sql<SqlBool>`${named} = any(${[...components]}::text[])`
}

/**
 * The condition of records that are neither blocked nor without consent: what makes, changes or passes on something of many
 * students at once asks it, wherever it stands. One list of the doors, and what each does, is in
 * `tests/security/restricted-records.test.ts`.
 */
export const isUnrestricted = (table = 'students') => sql<SqlBool>`${sql.ref(`${table}.restriction`)} is null`

/** The name of who made a row: that of the account today, or the stored name of an API token or of a deleted account. */
export const creatorName = sql<string>`coalesce(
  (select display_name from admins where id = created_by_id and not starts_with(created_by, ${tokenMark})),
  created_by)`

export function whereInScope(access: Access): RawBuilder<unknown> {
  const scope = inScope(access)
  return scope ? sql` where ${scope}` : sql``
}

/** The condition of the rows behind a position, by two columns; undefined at the beginning. */
export function isBehind(position: Position | null, at: string, id: string) {
  return position
    ? sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) < (${position.at}::timestamptz, ${position.id}::uuid)`
    : undefined
}

/** Two serial numbers with this key are one, as by `serialKey`. Index: students_serial. */
export const serialKeyOf = (column: string) =>
  sql<string>`upper(regexp_replace(${sql.raw(column)}, '[^A-Za-z0-9]', '', 'g'))`

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '#server/lib/paging.ts'

export function allOf(...conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<SqlBool> {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(given, sql` and `)}`
}

/** The condition of the rows behind a position, by two columns; undefined at the beginning. */
export function isBehind(position: Position | null, at: string, id: string) {
  return position
    ? sql<SqlBool>`(${sql.ref(at)}, ${sql.ref(id)}) < (${position.at}::timestamptz, ${position.id}::uuid)`
    : undefined
}

import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type NamedStudent, studentName } from '#shared/students/student-name.ts'

export interface SerialHolder extends NamedStudent {
  id: string
  component: string
}

// Any number, as long as it is this one.
const serialLock = 903_026

export const serialKeyOf = (column: string) =>
  sql`upper(regexp_replace(${sql.ref(column)}, '[^A-Za-z0-9]', '', 'g'))`

/**
 * Until the transaction ends nobody else gives serial numbers, so that none is given twice. Take it before the rows of
 * students, as lists do.
 */
export async function lockSerials(tx: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock(${serialLock})`.execute(tx)
}

/** Who has a number, in all components: no number is given to two. Index: students_serial. */
export async function listSerialHolders(db: Queryable, keys: readonly string[]) {
  const key = serialKeyOf('serialNumber')
  const { rows } = await sql<SerialHolder & { key: string }>`
    select ${key} as key, id, nstp_component as component, last_name, first_name, middle_name, extension_name
    from students where serial_number <> '' and ${key} = any(${[...keys]}::text[])`.execute(db)
  return rows
}

/** Privacy: names nobody of another component. */
export function heldSentence(holder: SerialHolder, access: Access): string {
  const who = access.includes(holder.component) ? studentName(holder) : `A student of ${holder.component}`
  return `${who} already has this number.`
}

import { sql } from 'kysely'
import { serialKeyOf } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import { serialKey } from '#shared/papers/serial-checks.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'

export interface Holder extends NamedStudent {
  id: string
  component: string
}

// Any number, as long as it is this one.
const serialLock = 903_026

/** The serial numbers of all components: no number is given to two students. */
export function createSerialNumbersRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    /** Blocks all others from giving serial numbers until the transaction ends, so that none is given twice. */
    lock: () => sql`select pg_advisory_xact_lock(${serialLock})`.execute(db),

    /**
     * The lock for a number that a visitor typed. It doesn't wait: a visitor who waits holds a connection, and enough of them
     * would hold all while a list is applied. Several visitors give numbers at once, each number one of them.
     * @returns whether this transaction may give it
     */
    async tryLock(serialNumber: string): Promise<boolean> {
      const rows = await all<{ isFree: boolean }>`
        select pg_try_advisory_xact_lock_shared(${serialLock})
          and pg_try_advisory_xact_lock(${serialLock}, hashtext(${serialKey(serialNumber)})) as is_free`
      return rows[0]?.isFree ?? false
    },

    /** The records that have these numbers. Index: students_serial. */
    async listHolders(serials: readonly string[]): Promise<(Holder & { key: string })[]> {
      const keys = [...new Set(serials.map(serialKey))].filter((key) => key !== '')
      if (keys.length === 0) return []
      const key = serialKeyOf('serial_number')
      const rows = await all<Holder & { key: string }>`
        select ${key} as key, id, nstp_component as component, last_name, first_name, middle_name, extension_name
        from students where serial_number <> '' and ${key} = any(${keys}::text[])`
      return rows
    },

    /** Gives a number that nobody has; one that somebody has is left. Indexes: students_pkey, students_serial. */
    async giveFree(id: string, serialNumber: string): Promise<void> {
      await sql`
        update students set serial_number = ${serialNumber} where id = ${id} and not exists (
          select from students held
          where held.serial_number <> '' and ${serialKeyOf('held.serial_number')} = ${serialKey(serialNumber)})`.execute(
        db,
      )
    },
  }
}

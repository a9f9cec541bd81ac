import { sql } from 'kysely'
import { inScope, isUnrestricted, serialKeyOf } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Restriction } from '#shared/privacy/privacy.ts'

export interface HeldRecord {
  serialNumber: string
  restriction: Restriction | null
}

interface GivenSerial {
  studentId: string
  serial: string
}

/** Reads students and rows of a paper. The caller has checked that the account may make the paper. */
export function createSerialsRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    /** The records as they are now. Index: students_pkey. */
    async listHeld(ids: readonly string[], access: Access): Promise<Map<string, HeldRecord>> {
      const rows = await all<HeldRecord & { id: string }>`
        select id, serial_number, restriction from students where id = any(${[...ids]}::uuid[]) and ${inScope(access) ?? sql`true`}`
      return new Map(rows.map(({ id, ...record }) => [id, record]))
    },

    /** Blocked records get none. @returns whose record has another number than before */
    give: (serials: readonly GivenSerial[]) => all<{ id: string; reference: string; serial: string }>`
        update students set serial_number = own.serial, version = version + 1
        from jsonb_to_recordset(${JSON.stringify(serials)}::jsonb) as own("studentId" uuid, serial text)
        where students.id = own."studentId" and serial_number = '' and ${isUnrestricted()}
        returning id, reference, own.serial`,

    /**
     * Writes the serial numbers into the rows of the paper where the record has the same number. Indexes:
     * paper_rows_student, students_pkey.
     */
    async note(paperId: string, serials: readonly GivenSerial[]): Promise<void> {
      await sql`
        update paper_rows set serial = own.serial
        from jsonb_to_recordset(${JSON.stringify(serials)}::jsonb) as own("studentId" uuid, serial text)
          join students on students.id = own."studentId"
        where paper_id = ${paperId} and list = 'graduates' and paper_rows.student_id = students.id
          and ${serialKeyOf('serial_number')} = ${serialKeyOf('own.serial')}`.execute(db)
    },

    /**
     * Lists the students to whom an import gives a number, `ready`, or who have it already, `unchanged`. Index:
     * import_rows_state.
     */
    listMeant: (importId: string, state: 'ready' | 'unchanged') => all<GivenSerial>`
        select record_id as student_id, fields ->> 'serialNumber' as serial
        from import_rows
        where import_id = ${importId} and state = ${state} and record_id is not null
          and fields ->> 'serialNumber' <> ''
        order by record_id`,

    /** Whether a certificate says one of them. Index: certificates_student. */
    async areCertified(serials: readonly GivenSerial[]): Promise<boolean> {
      const rows = await all<{ isOne: boolean }>`
        select exists (
          select from certificates
            join jsonb_to_recordset(${JSON.stringify(serials)}::jsonb) as own("studentId" uuid, serial text)
              on certificates.student_id = own."studentId"
          where revoked_at is null and ${serialKeyOf("content ->> 'serialNumber'")}
            = ${serialKeyOf('own.serial')}
        ) as is_one`
      return rows[0]?.isOne ?? false
    },

    /** Removes serial numbers from records that still have the number that was given. */
    takeBack: (serials: readonly GivenSerial[]) => all<{ id: string; reference: string; serial: string }>`
        update students set serial_number = '', version = version + 1
        from jsonb_to_recordset(${JSON.stringify(serials)}::jsonb) as own("studentId" uuid, serial text)
        where students.id = own."studentId" and ${serialKeyOf('serial_number')} = ${serialKeyOf('own.serial')}
        returning id, reference, own.serial`,
  }
}

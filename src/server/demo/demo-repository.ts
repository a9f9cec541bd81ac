import { type Insertable, sql } from 'kysely'
import type { Queryable, StudentsTable, Tables } from '#server/database/schema.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'

const records = [
  { table: 'students', name: 'students' },
  { table: 'terms', name: 'terms' },
  { table: 'announcements', name: 'announcements' },
  { table: 'slides', name: 'slides' },
  { table: 'org_nodes', name: 'an organizational chart' },
] as const

// No other transaction can add records before this one ends.
export async function findRecords(tx: Queryable): Promise<string | undefined> {
  for (const { table, name } of records) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(tx)
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
    if (rows.length > 0) return name
  }
  return undefined
}

export async function addStudents(tx: Queryable, students: Insertable<StudentsTable>[]): Promise<void> {
  await tx.insertInto('students').values(students).execute()
}

/** Lists students in a fixed order, so that the same seed calls the same ones. Indexes: enrolments_term, students_pkey. */
export async function listTrained(
  tx: Queryable,
  termId: string,
  component: NstpComponent,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('enrolments')
    .innerJoin('students', 'students.id', 'enrolments.studentId')
    .select('students.id')
    .where('termId', '=', termId)
    .where('enrolments.component', '=', component)
    .where('enrolments.status', '=', 'enrolled')
    .orderBy('registrationDate')
    .orderBy('lastName')
    .orderBy('students.id')
    .execute()
  return rows.map(({ id }) => id)
}

interface Shown {
  id: string
  reference: string
  dateOfBirth: string
  contactNumber: string
}

/** Somebody with a section of an open term, and somebody with a certificate. */
export async function findShown(tx: Queryable): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    (select students.id, reference, date_of_birth, contact_number from students
      join enrolments on enrolments.student_id = students.id join terms on terms.id = term_id and terms.state = 'open'
      where section_id is not null and enrolments.status = 'enrolled' and not archived
      order by level desc, students.id limit 1)
    union all
    (select students.id, reference, date_of_birth, contact_number from students
      join certificates on certificates.student_id = students.id
      where revoked_at is null and students.serial_number <> '' order by number limit 1)`.execute(tx)
  return rows
}

export async function addSlip(tx: Queryable, slip: Insertable<Tables['studentKeys']>): Promise<void> {
  await tx.insertInto('studentKeys').values(slip).execute()
}

export async function addRequest(
  tx: Queryable,
  request: Insertable<Tables['studentRequests']>,
): Promise<void> {
  await tx.insertInto('studentRequests').values(request).execute()
}

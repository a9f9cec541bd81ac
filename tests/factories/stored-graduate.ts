import type { AppDatabase } from '#server/database/pool.ts'
import { storeEnrolment } from './stored-enrolment.ts'
import { storeStudent } from './stored-student.ts'

/** Who passed NSTP 1 and NSTP 2, both in the term. */
export async function storeGraduate(
  database: Pick<AppDatabase, 'db'>,
  termId: string,
  {
    component = 'CWTS',
    ...record
  }: Parameters<typeof storeStudent>[1] & { component?: 'CWTS' | 'LTS' | 'ROTC' } = {},
) {
  const student = await storeStudent(database, {
    nstpComponent: component,
    academicYear: '2026-2027',
    ...record,
  })
  for (const level of [1, 2] as const) {
    const passed = { mark: '1.25', outcome: 'passed' } as const
    await storeEnrolment(database, { termId, studentId: student.id, component, level, ...passed })
  }
  return student
}

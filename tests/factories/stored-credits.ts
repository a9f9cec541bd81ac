import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import { earlierGraduate } from '#shared/terms/credits.ts'
import { storeStudent } from './stored-student.ts'

/** Who graduated before this system: both levels are credited. */
export async function storeEarlierGraduate(
  database: Pick<AppDatabase, 'db'>,
  {
    academicYear = '2014-2015',
    ...record
  }: Parameters<typeof storeStudent>[1] & { academicYear?: string } = {},
) {
  const student = await storeStudent(database, { nstpComponent: 'LTS', academicYear, ...record })
  const credits = ([1, 2] as const).map((level) => ({
    ...{ id: createId(), studentId: student.id, level, academicYear },
    kind: 'credit' as const,
    ground: earlierGraduate,
    evidence: 'List of graduates of the year',
    decidedAt: new Date('2026-08-10T02:00:00Z'),
  }))
  await database.db.insertInto('credits').values(credits).execute()
  return student
}

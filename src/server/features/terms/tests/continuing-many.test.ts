import { v7 as createId } from 'uuid'
import { expect, test } from 'vitest'
import type { Outcome } from '#shared/terms/terms.ts'
import type { ContinuationPreview } from '#shared/terms/terms-response.ts'
import { buildStoredStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer()

const students = 4_700
const sections = 80
const perSection = Math.ceil(students / sections)
// The last of each hundred didn't pass.
const outcomeOf = (index: number): Outcome => (index % 100 === 99 ? 'failed' : 'passed')
const choices = {
  passed: 'next',
  'no mark': 'next',
  incomplete: 'leave',
  failed: 'again',
  dropped: 'leave',
  done: 'leave',
}

test('4,700 students of 80 sections go on to the second semester, and back', {
  timeout: 120_000,
}, async () => {
  const { db } = own.database
  const before = await storeTerm(own.database, { state: 'closed' })
  const { id: termId } = await storeTerm(own.database, { semester: 2 })
  const sectionIds: string[] = []
  for (let index = 0; index < sections; index++) {
    const section = { termId: before.id, name: `Section ${index + 1}`, capacity: perSection, position: index }
    sectionIds.push((await storeSection(own.database, section)).id)
  }
  const rows = Array.from({ length: students }, (_, index) =>
    buildStoredStudent({
      nstpComponent: 'CWTS',
      academicYear: '2026-2027',
      lastName: `Name ${String(index).padStart(4, '0')}`,
    }),
  )
  const atOnce = 470
  for (let from = 0; from < students; from += atOnce) {
    const some = rows.slice(from, from + atOnce)
    await db.insertInto('students').values(some).execute()
    const enrolments = some.map(({ id }, index) => ({
      id: createId(),
      termId: before.id,
      studentId: id,
      component: 'CWTS' as const,
      level: 1 as const,
      sectionId: sectionIds[(from + index) % sections] ?? null,
      statusOn: '2026-08-03',
      entry: 'new' as const,
      outcome: outcomeOf(from + index),
    }))
    await db.insertInto('enrolments').values(enrolments).execute()
  }
  const path = `/terms/${termId}/continuations`
  const preview: ContinuationPreview = await (
    await own.admin.call('POST', `${path}/preview`, { choices })
  ).json()
  const done = await (await own.admin.call('POST', path, { choices, basis: preview.basis })).json()
  expect(preview).toMatchObject({ next: 4_653, again: 47, left: 0, sections, withoutSection: 47 })
  expect(done.count).toBe(students)
  const moved = await db
    .selectFrom('enrolments as now')
    .innerJoin('enrolments as past', 'past.studentId', 'now.studentId')
    .innerJoin('sections as nowIn', 'nowIn.id', 'now.sectionId')
    .innerJoin('sections as pastIn', 'pastIn.id', 'past.sectionId')
    .select(['nowIn.name as now', 'pastIn.name as past'])
    .where('now.termId', '=', termId)
    .where('past.termId', '=', before.id)
    .execute()
  expect(moved).toHaveLength(4_653)
  expect(moved.filter(({ now, past }) => now !== past)).toEqual([])
  const again: ContinuationPreview = await (
    await own.admin.call('POST', `${path}/preview`, { choices })
  ).json()
  expect(again).toMatchObject({ next: 0, again: 0, left: 0 })
  const undone = await own.admin.call('POST', `/enrolment-batches/${done.batchId}/undo`)
  expect(await undone.json()).toEqual({ count: students, skipped: 0 })
})

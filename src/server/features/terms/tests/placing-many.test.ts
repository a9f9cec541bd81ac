import { expect, test } from 'vitest'
import type { PlacementPreview } from '#shared/terms/terms-response.ts'
import { buildStoredStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer()

const students = 5_000
const sections = 140
const capacity = 35
const atOnce = 500

test('5,000 students get into 140 sections', { tags: ['rest'], timeout: 120_000 }, async () => {
  const { db } = own.database
  const { id } = await storeTerm(own.database)
  for (let first = 0; first < students; first += atOnce) {
    const rows = Array.from({ length: atOnce }, (_, index) =>
      buildStoredStudent({
        nstpComponent: 'CWTS',
        academicYear: '2026-2027',
        lastName: `Name ${first + index}`,
        sex: index % 2 === 0 ? 'Male' : 'Female',
        course: index % 5 === 0 ? 'SOTE' : 'SOICT',
      }),
    )
    await db.insertInto('students').values(rows).execute()
  }
  const added = await own.admin.call('POST', `/terms/${id}/sections`, {
    component: 'CWTS',
    level: 1,
    sections: Array.from({ length: sections }, (_, index) => ({
      unit: '',
      name: `Section ${index + 1}`,
      capacity,
      takes: index % 2 === 0 ? 'Male' : 'Female',
      courses: [],
      adviser: '',
      meets: '',
    })),
  })
  expect(added.status).toBe(201)
  const placement = { component: 'CWTS', level: 1, order: 'course', fill: 'evenly' }
  const answer = await own.admin.call('POST', `/terms/${id}/placements/preview`, placement)
  const preview: PlacementPreview = await answer.json()
  const body = { ...placement, basis: preview.basis }
  const placed = await (await own.admin.call('POST', `/terms/${id}/placements`, body)).json()
  const places = sections * capacity
  expect(preview).toMatchObject({ total: students, placed: places })
  expect(placed.count).toBe(places)
  const counts = await db
    .selectFrom('enrolments')
    .select(({ fn }) => ['sectionId', fn.countAll<string>().as('count')])
    .groupBy('sectionId')
    .execute()
  expect(counts.map(({ count }) => Number(count))).toEqual(Array(sections).fill(capacity))
  const undone = await own.admin.call('POST', `/enrolment-batches/${placed.batchId}/undo`)
  expect(await undone.json()).toEqual({ count: places, skipped: 0 })
  expect(await db.selectFrom('enrolments').select('id').execute()).toEqual([])
})

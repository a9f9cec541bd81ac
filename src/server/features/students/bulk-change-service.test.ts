import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const now = new Date('2026-11-20T02:00:00Z')
const app = startStudentsServer({ now })

const change = (ids: readonly string[], field: string, value: string) => ({ ids, field, value })
const post = async (path: string, body: unknown = {}) => (await app.admin.call('POST', path, body)).json()
const read = async (id: string) => (await app.admin.call('GET', `/students/${id}`)).json()
const undo = (id: string) => post(`/students/changes/${id}/undo`)

test.each([
  [change([], 'course', 'SOTE'), 'No students selected for changing'],
  [
    change([randomUUID()], 'email', 'x'),
    'Please choose one of the listed options for field: nstpComponent, course, yearLevel, academicYear.',
  ],
  [
    change([randomUUID()], 'nstpComponent', 'NSTP'),
    'Please choose one of the listed options for nstp component.',
  ],
  [
    change([randomUUID()], 'yearLevel', '6th Year'),
    'Please choose one of the listed options for year level.',
  ],
  [change([randomUUID()], 'course', 'SONONE'), 'Please choose one of the listed options for course.'],
  [{ ids: [randomUUID()], field: 'course' }, 'Please send the new value as text.'],
])('%j is refused', async (body, detail) => {
  for (const path of ['/students/changes', '/students/changes/preview']) {
    expect(await app.admin.refusal('POST', path, body)).toMatchObject({
      status: 422,
      code: 'invalid',
      detail,
    })
  }
})

test.each(['/students/changes', '/students/changes/preview', `/students/changes/${randomUUID()}/undo`])(
  '%s is for administrators',
  async (path) => {
    const body = change([randomUUID()], 'course', 'SOTE')
    expect(await createAdminClient(app.server, '').refusal('POST', path, body)).toMatchObject({ status: 401 })
  },
)

describe.each([
  ['nstpComponent', 'ROTC', 'CWTS', 'ROTC', 'CWTS'],
  ['course', 'SOICT', 'SOTE', 'SOICT', 'SOTE'],
  ['yearLevel', '1st Year', '2nd Year', 1, 2],
  ['academicYear', '2025-2026', '2026-2027', '2025-2026', '2026-2027'],
])('%s', (field, oldText, newText, oldValue, newValue) => {
  test('is previewed, changed with an audit entry each, and changed back', async () => {
    const first = await storeStudent(app.database, { [field]: oldValue })
    const second = await storeStudent(app.database, { [field]: oldValue })
    const same = await storeStudent(app.database, { [field]: newValue })
    const other = await storeStudent(app.database, { [field]: oldValue })
    const body = change([first.id, second.id, same.id, first.id], field, newText)
    expect(await post('/students/changes/preview', body)).toEqual({
      total: 3,
      blocked: 0,
      changes: [{ before: oldText, count: 2 }],
    })
    const { id, count } = await post('/students/changes', body)
    expect(count).toBe(2)
    for (const student of [first, second]) {
      expect(await read(student.id)).toMatchObject({ [field]: newValue, version: 2 })
    }
    expect(await read(same.id)).toMatchObject({ [field]: newValue, version: 1 })
    expect(await read(other.id)).toMatchObject({ [field]: oldValue, version: 1 })
    const edited = (await app.trail.entries()).filter(({ action }) => action === 'student-edited')
    expect(edited.map(({ studentId }) => studentId).toSorted()).toEqual([first.id, second.id].toSorted())
    expect(edited[0]).toMatchObject({ fields: [field], affected: 1 })

    expect(await undo(id)).toEqual({ count: 2, skipped: 0, moved: 0 })
    expect(await read(first.id)).toMatchObject({ [field]: oldValue, version: 3 })
    expect(await read(second.id)).toMatchObject({ [field]: oldValue, version: 3 })
    expect((await app.trail.entries()).filter(({ action }) => action === 'student-edited')).toHaveLength(4)
    // Once only.
    expect(await app.admin.refusal('POST', `/students/changes/${id}/undo`, {})).toMatchObject({ status: 404 })
  })
})

test('an undo leaves records alone that were changed or deleted since', async () => {
  const students = await Promise.all(
    ['SOICT', 'SOBM', 'SOHM'].map((course) => storeStudent(app.database, { course })),
  )
  const [first = '', second = '', third = ''] = students.map(({ id }) => id)
  const { id } = await post('/students/changes', change([first, second, third], 'course', 'SOTE'))
  await app.admin.call('PATCH', `/students/${second}`, { firstName: 'Berta' }, { 'If-Match': '"2"' })
  await app.admin.call('DELETE', `/students/${third}`)
  expect(await undo(id)).toEqual({ count: 1, skipped: 1, moved: 0 })
  expect(await read(first)).toMatchObject({ course: 'SOICT' })
  expect(await read(second)).toMatchObject({ course: 'SOTE', firstName: 'Berta' })
})

test('an undo gives each record its own old value, also one that is no longer offered', async () => {
  const courses = ['OLD', 'SOBM', 'SOBM']
  const students = await Promise.all(courses.map((course) => storeStudent(app.database, { course })))
  const ids = students.map(({ id }) => id)
  const { id } = await post('/students/changes', change(ids, 'course', 'SOTE'))
  expect(await undo(id)).toEqual({ count: 3, skipped: 0, moved: 0 })
  expect(await Promise.all(ids.map(async (one) => (await read(one)).course))).toEqual(courses)
})

test('after ten minutes, or of an unknown change, there is nothing to undo', async () => {
  const { id: student } = await storeStudent(app.database, { course: 'SOBM' })
  const { id } = await post('/students/changes', change([student], 'course', 'SOTE'))
  now.setMinutes(now.getMinutes() + 11)
  for (const one of [id, randomUUID()]) {
    expect(await app.admin.refusal('POST', `/students/changes/${one}/undo`, {})).toEqual({
      status: 404,
      code: 'not_found',
      detail: 'This change can no longer be undone.',
    })
  }
})

test('nothing is changed when one of the selection was deleted', async () => {
  const { id } = await storeStudent(app.database, { course: 'SOBM' })
  expect(
    await app.admin.refusal('POST', '/students/changes', change([id, randomUUID()], 'course', 'SOTE')),
  ).toEqual({
    status: 409,
    code: 'conflict',
    detail:
      '1 of the selected students no longer exists, so nothing was changed. ' +
      'Please reload the list and select again.',
  })
  expect(await read(id)).toMatchObject({ course: 'SOBM', version: 1 })
})

test('5,000 records are changed and changed back', { tags: ['rest'], timeout: 60_000 }, async () => {
  const students = Array.from({ length: 5_000 }, () => buildStoredStudent({ nstpComponent: 'ROTC' }))
  for (let start = 0; start < students.length; start += 500) {
    await app.database.db
      .insertInto('students')
      .values(students.slice(start, start + 500))
      .execute()
  }
  const ids = students.map(({ id }) => id)
  const { id, count } = await post('/students/changes', change(ids, 'nstpComponent', 'LTS'))
  expect(count).toBe(5_000)
  expect(await undo(id)).toEqual({ count: 5_000, skipped: 0, moved: 0 })
})

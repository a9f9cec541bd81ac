import { describe, expect, test } from 'vitest'
import type { StudentListItem } from '#shared/students/student-response.ts'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const unknownId = '0198f4b2-0000-7000-8000-000000000000'

const app = startStudentsServer()

type Overrides = Parameters<typeof storeStudent>[1]

let stored = 0
function storeNamed(overrides: Overrides = {}) {
  stored += 1
  return storeStudent(app.database, {
    lastName: `Last ${stored}`,
    firstName: `First ${stored}`,
    email: `somebody.${stored}@school.example`,
    studentId: `2026-${stored}`,
    ...overrides,
  })
}

async function marked(): Promise<string[]> {
  const response = await app.admin.call('GET', '/students?archive=all&sort=registrationDate')
  const { items }: { items: StudentListItem[] } = await response.json()
  return items.filter(({ isDuplicate }) => isDuplicate).map(({ id }) => id)
}

async function duplicatesOf(id: string): Promise<string[]> {
  const { items } = await (await app.admin.call('GET', `/students/${id}/duplicates`)).json()
  return items.map((item: { id: string }) => item.id)
}

describe('the same person twice', () => {
  test.each<[string, Overrides, Overrides]>([
    [
      'name and birth date, whatever the case and the spaces',
      { lastName: 'Dela  Cruz', firstName: 'JUAN', middleName: '' },
      { lastName: 'dela cruz', firstName: 'Juan', middleName: 'Peña' },
    ],
    [
      'name and birth date, ñ typed as n with a combining tilde',
      { lastName: 'Peña', firstName: 'Juan' },
      { lastName: 'Pen\u0303a', firstName: 'Juan' },
    ],
    ['e-mail address, whatever the case', { email: 'Juan@School.example' }, { email: 'juan@school.example' }],
    ['student ID', { studentId: '2026-00123A' }, { studentId: ' 2026-00123a ' }],
    ['student ID without its dash and zeros', { studentId: '0026-00123' }, { studentId: '2600123' }],
    [
      'name and birth date, particles in one word and Maria in full',
      { lastName: 'Dela Rosa', firstName: 'Ma. Luz' },
      { lastName: 'De la Rosa', firstName: 'Maria Luz' },
    ],
    [
      'name and birth date, names in the wrong fields, without ñ and with Jr.',
      { lastName: 'Peña', firstName: 'Jose' },
      { lastName: 'JOSE JR.', firstName: 'PENA' },
    ],
    [
      'the one name that somebody has',
      { lastName: 'Suharto', firstName: '-' },
      { lastName: 'Suharto', firstName: '.' },
    ],
  ])('is recognised by %s', async (_what, one, other) => {
    const first = await storeNamed(one)
    const second = await storeNamed(other)
    await storeNamed()
    expect(await marked()).toEqual([first.id, second.id])
    expect(await (await app.admin.call('GET', `/students/${first.id}`)).json()).toMatchObject({
      isDuplicate: true,
    })
    expect(await duplicatesOf(first.id)).toEqual([second.id])
    expect(await duplicatesOf(second.id)).toEqual([first.id])
  })

  test.each<[string, Overrides, Overrides]>([
    [
      'another academic year',
      { email: 'juan@school.example', academicYear: '2025-2026' },
      { email: 'juan@school.example', academicYear: '2026-2027' },
    ],
    [
      'another birth date',
      { lastName: 'Cruz', firstName: 'Juan', dateOfBirth: '2007-05-14' },
      { lastName: 'Cruz', firstName: 'Juan', dateOfBirth: '2007-05-15' },
    ],
    [
      'the words split otherwise over the names',
      { lastName: 'Dela Cruz', firstName: 'Juan' },
      { lastName: 'Dela', firstName: 'Cruz Juan' },
    ],
    ['no student ID', { studentId: '' }, { studentId: '' }],
    ['a student ID that says nothing', { studentId: 'N/A' }, { studentId: 'N/A' }],
  ])('has no duplicate with %s', async (_what, one, other) => {
    const first = await storeNamed(one)
    await storeNamed(other)
    expect(await marked()).toEqual([])
    expect(await duplicatesOf(first.id)).toEqual([])
  })

  test('may have three records, archived or not', async () => {
    const email = 'juan@school.example'
    const one = await storeNamed({ email, registrationDate: new Date('2026-11-03T00:00:00Z') })
    const two = await storeNamed({ email, registrationDate: new Date('2026-11-02T00:00:00Z') })
    const three = await storeNamed({ email, archived: true, archivedDate: new Date() })
    expect(await duplicatesOf(three.id)).toEqual([two.id, one.id])
    expect(await marked()).toHaveLength(3)
  })
})

describe('GET /students?duplicates=only', () => {
  test('lists, counts, selects and exports only possible duplicates', async () => {
    const email = 'family@home.example'
    const one = await storeNamed({ email, nstpComponent: 'ROTC' })
    const two = await storeNamed({ email })
    const three = await storeNamed({ studentId: '7' })
    const four = await storeNamed({ studentId: '7' })
    await storeNamed()
    await app.admin.call('POST', '/students/duplicates/dismiss', { ids: [three.id, four.id] })
    const page = async (query: string) =>
      (await app.admin.call('GET', `/students?duplicates=only&sort=registrationDate${query}`)).json()
    const all = await page('')
    expect(all.items.map(({ id }: { id: string }) => id)).toEqual([one.id, two.id])
    expect(all.total).toBe(2)
    expect(await page('&component=ROTC')).toMatchObject({ total: 1, items: [{ id: one.id }] })
    expect(await page('&page=2&pageSize=1')).toMatchObject({ total: 2, items: [{ id: two.id }] })
    const ids = await (await app.admin.call('GET', '/students/ids?duplicates=only')).json()
    expect(ids.total).toBe(2)
    const workbook = await app.admin.call('GET', '/students/export.xlsx?duplicates=only')
    await workbook.arrayBuffer()
    expect((await app.trail.entries()).at(-1)).toMatchObject({
      action: 'students-exported',
      affected: 2,
      detail: { duplicates: 'only' },
    })
  })

  test('is empty without duplicates', async () => {
    await storeNamed()
    const page = await app.admin.call('GET', '/students?duplicates=only')
    expect(await page.json()).toMatchObject({ items: [], total: 0 })
  })

  test('refuses another value', async () => {
    expect(await app.admin.refusal('GET', '/students?duplicates=yes')).toMatchObject({
      status: 422,
      detail: 'Please choose one of the listed options for duplicates: all, only.',
    })
  })
})

describe('GET /students/:id/duplicates', () => {
  test('gives complete records, and records the view', async () => {
    const one = await storeNamed({ email: 'juan@school.example' })
    const other = await storeNamed({ email: 'juan@school.example' })
    const response = await app.admin.call('GET', `/students/${one.id}/duplicates`)
    expect(response.status).toBe(200)
    expect((await response.json()).items).toMatchObject([
      { id: other.id, religion: 'Roman Catholic', version: 1 },
    ])
    expect(await app.trail.entries()).toMatchObject([{ action: 'student-viewed', studentId: other.id }])
  })

  test.each([unknownId, 'nobody'])('of %s is not found', async (id) => {
    expect(await app.admin.refusal('GET', `/students/${id}/duplicates`)).toEqual({
      status: 404,
      code: 'not_found',
      detail: 'Student not found',
    })
  })
})

describe('different people', () => {
  test('are no longer marked for each other, but still for others', async () => {
    const email = 'family@home.example'
    const one = await storeNamed({ email })
    const two = await storeNamed({ email })
    const response = await app.admin.call('POST', '/students/duplicates/dismiss', { ids: [two.id, one.id] })
    expect(response.status).toBe(204)
    expect(await marked()).toEqual([])
    expect(await duplicatesOf(one.id)).toEqual([])
    const three = await storeNamed({ email })
    expect(await duplicatesOf(one.id)).toEqual([three.id])
    expect(await duplicatesOf(three.id)).toEqual([one.id, two.id])
  })

  test('are recorded once', async () => {
    const one = await storeNamed()
    const two = await storeNamed()
    await app.admin.call('POST', '/students/duplicates/dismiss', { ids: [one.id, two.id] })
    expect(
      (await app.admin.call('POST', '/students/duplicates/dismiss', { ids: [two.id, one.id] })).status,
    ).toBe(204)
    expect(await app.trail.entries()).toMatchObject([
      { action: 'duplicate-dismissed', affected: 2, subject: `${one.reference}, ${two.reference}` },
    ])
    expect(await app.trail.students()).toEqual([one.id, two.id])
  })

  test('are removed with a record', async () => {
    const one = await storeNamed()
    const two = await storeNamed()
    await app.admin.call('POST', '/students/duplicates/dismiss', { ids: [one.id, two.id] })
    await app.admin.call('DELETE', `/students/${two.id}`)
    expect(await app.database.db.selectFrom('differentStudents').selectAll().execute()).toEqual([])
  })

  test.each<[unknown, string]>([
    [['x', unknownId], 'Please send the ids of two students.'],
    [[unknownId], 'Please send the ids of two students.'],
    [[unknownId, unknownId], 'Please send the ids of two students.'],
    ['both', 'Please send the ids of two students.'],
  ])('%j is refused', async (ids, detail) => {
    expect(await app.admin.refusal('POST', '/students/duplicates/dismiss', { ids })).toMatchObject({
      status: 422,
      code: 'invalid',
      detail,
    })
  })

  test('must both exist', async () => {
    const { id } = await storeNamed()
    expect(
      await app.admin.refusal('POST', '/students/duplicates/dismiss', { ids: [id, unknownId] }),
    ).toMatchObject({
      status: 404,
      detail: 'Student not found',
    })
  })
})

test.each([
  ['GET', `/students/${unknownId}/duplicates`],
  ['POST', '/students/duplicates/dismiss'],
])('%s %s is refused without a session', async (method, path) => {
  expect(await createAdminClient(app.server, '').refusal(method, path)).toEqual({
    status: 401,
    code: 'unauthenticated',
    detail: 'Authentication required. Please login as admin.',
  })
})

test('a page of records of one person is marked quickly', async () => {
  // A placeholder instead of an e-mail address, shared by all records.
  const students = Array.from({ length: 5_000 }, () => buildStoredStudent({ email: 'none@none.example' }))
  for (let start = 0; start < students.length; start += 500) {
    await app.database.db
      .insertInto('students')
      .values(students.slice(start, start + 500))
      .execute()
  }
  expect(await marked()).toHaveLength(50)
  expect(await duplicatesOf(students[0]?.id ?? '')).toHaveLength(20)
})

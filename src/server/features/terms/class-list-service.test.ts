import readWorkbook from 'read-excel-file/node'
import { v7 as createId } from 'uuid'
import { beforeEach, expect, test } from 'vitest'
import { classListMessages, termMessages } from '#shared/terms/terms.ts'
import type { ClassList } from '#shared/terms/terms-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { sheetNames } from './class-list-service.ts'

const own = startStudentsServer()
const termId = createId()
const [alpha, bravo, rotc] = [createId(), createId(), createId()]

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: termId })
  await storeSection(own.database, { termId, id: alpha, name: 'Alpha', adviser: 'Ms. Reyes' })
  await storeSection(own.database, { termId, id: bravo, name: 'Bravo', position: 1 })
  await storeSection(own.database, { termId, id: rotc, component: 'ROTC', name: 'Platoon 1' })
})

async function list(lastName: string, sectionId: string, overrides: Parameters<typeof storeStudent>[1] = {}) {
  const component = sectionId === rotc ? 'ROTC' : 'CWTS'
  const { id } = await storeStudent(own.database, { lastName, nstpComponent: component, ...overrides })
  await storeEnrolment(own.database, { termId, studentId: id, sectionId, component })
  return id
}

const path = `/terms/${termId}/class-lists`

type Caller = Pick<typeof own.admin, 'call'>

async function read(query = '', by: Caller = own.admin): Promise<ClassList[]> {
  const answer = await by.call('GET', path + query)
  expect(answer.status).toBe(200)
  return (await answer.json()).items
}

const namesOf = (lists: readonly ClassList[]) =>
  lists.map(({ section, students }) => [section.name, ...students.map(({ lastName }) => lastName)])

test('has the students of each section by name, without who dropped or is blocked', async () => {
  await list('Zamora', alpha)
  await list('Abad', alpha)
  await list('Blocked', alpha, { restriction: 'blocked' })
  const dropped = await list('Dropped', alpha)
  await own.database.db
    .updateTable('enrolments')
    .set({ status: 'dropped' })
    .where('studentId', '=', dropped)
    .execute()
  await list('Cruz', rotc)
  expect(namesOf(await read())).toEqual([['Alpha', 'Abad', 'Zamora'], ['Bravo'], ['Platoon 1', 'Cruz']])
  expect(namesOf(await read('?component=CWTS&level=1'))).toEqual([['Alpha', 'Abad', 'Zamora'], ['Bravo']])
  expect(namesOf(await read('?level=2'))).toEqual([])
  const [only, ...others] = await read(`?section=${alpha}`)
  expect(others).toEqual([])
  expect(only).toMatchObject({ section: { adviser: 'Ms. Reyes', students: 3 }, leftOut: 1 })
})

test('on paper and in the workbook are the same', async () => {
  await list('Abad', alpha, { studentId: '26-1', extensionName: 'Jr.' })
  await list('Zamora', alpha)
  await list('Cruz', rotc)
  const lists = await read()
  const answer = await own.admin.call('GET', `${path}.xlsx`)
  expect(answer.headers.get('Content-Disposition')).toContain('Class lists First semester 2026-2027.xlsx')
  const sheets = await readWorkbook(Buffer.from(await answer.arrayBuffer()))
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Alpha', 'Bravo', 'Platoon 1'])
  const rows = sheets.map(({ data: [_heads, ...data] }) => data.map((row) => row.slice(0, 9)))
  const text = (value: string) => (value === '' ? null : value)
  expect(rows).toEqual(
    lists.map(({ students }) =>
      students.map((student, index) => [
        index + 1,
        ...[student.lastName, student.firstName, student.middleName, student.extensionName].map(text),
        ...[student.studentId, student.course, student.sex, student.contactNumber].map(text),
      ]),
    ),
  )
  expect(await own.trail.of('students-exported')).toMatchObject([
    { subject: 'First semester 2026-2027', affected: 3, detail: { list: 'class list' } },
  ])
})

test('shows an account what it may see', async () => {
  await list('Abad', alpha, { contactNumber: '0917 555 0101' })
  await list('Cruz', rotc)
  const assistant = await createStaffClient(own.server, { role: 'assistant', components: ['CWTS'] })
  const registrar = await createStaffClient(own.server, { role: 'registrar', components: [] })
  expect(namesOf(await read('', assistant))).toEqual([['Alpha', 'Abad'], ['Bravo']])
  const contacts = async (by: Caller) => (await read(`?section=${alpha}`, by))[0]?.students[0]?.contactNumber
  expect([await contacts(assistant), await contacts(registrar)]).toEqual(['0917 555 0101', ''])
  expect(namesOf(await read(`?section=${rotc}`, assistant))).toEqual([])
})

test('of an unknown term and of no section are refused', async () => {
  const unknown = `/terms/${createId()}/class-lists`
  expect(await own.admin.refusal('GET', unknown)).toMatchObject({ status: 404, detail: termMessages.missing })
  expect(await own.admin.refusal('GET', `${path}.xlsx?level=2`)).toMatchObject({
    status: 404,
    detail: classListMessages.none,
  })
  expect(await own.admin.refusal('GET', `${path}?section=alpha`)).toMatchObject({ status: 422 })
})

test('a sheet has a name that Excel takes', () => {
  expect(sheetNames(['Alpha, Platoon 1', 'A/B: [1]', "'quoted'", '???', 'alpha, platoon 1'])).toEqual([
    'Alpha, Platoon 1',
    'A B   1',
    'quoted',
    'Section',
    'alpha, platoon 1 (2)',
  ])
  const [long = '', other = ''] = sheetNames(['x'.repeat(60), 'X'.repeat(60)])
  expect([long.length, other.length]).toEqual([31, 31])
  expect(long.toLowerCase()).not.toBe(other.toLowerCase())
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { type MailDesk, openMailDesk } from '#tests/setup/mail-desk.ts'

let desk: MailDesk
beforeAll(async () => {
  desk = await openMailDesk()
  const { database } = desk.server
  const at = (day: number) => new Date(Date.UTC(2026, 10, day))
  const cwts = { nstpComponent: 'CWTS', academicYear: '2026-2027', course: 'SOICT' }
  await storeStudent(database, { ...cwts, email: 'ana@x.example', firstName: 'Ana', registrationDate: at(9) })
  await storeStudent(database, { ...cwts, email: 'ANA@x.example', registrationDate: at(8) })
  await storeStudent(database, { ...cwts, email: 'out@x.example', registrationDate: at(7) })
  await storeStudent(database, { ...cwts, email: 'none', registrationDate: at(6) })
  await storeStudent(database, { ...cwts, email: 'b@x.example', course: 'SOBM', registrationDate: at(5) })
  await storeStudent(database, {
    ...{ nstpComponent: 'ROTC', academicYear: '2025-2026', course: 'SOBM', email: 'c@x.example' },
    registrationDate: new Date('2025-06-01T00:00:00Z'),
  })
  await storeStudent(database, { ...cwts, email: 'd@x.example', archived: true, archivedDate: at(10) })
  await desk.optOut('out@x.example')
})
afterAll(() => desk.close())

const read = (query: string) => desk.done('GET', `/mail/audience${query}`)

test('counts who gets a mail and who is left out, and shows the first ones', async () => {
  const audience = await read('?component=CWTS&academicYear=2026-2027&course=SOICT')
  expect(audience).toMatchObject({ count: 1, optedOut: 1, duplicates: 1, invalid: 1 })
  expect(audience.sample).toEqual([
    {
      id: expect.any(String),
      email: 'ana@x.example',
      firstName: 'Ana',
      lastName: expect.any(String),
      component: 'CWTS',
      course: 'SOICT',
      academicYear: '2026-2027',
      reference: expect.any(String),
    },
  ])
})

test.each([
  ['', 3],
  ['?component=all&academicYear=all&course=', 3],
  ['?component=ROTC', 1],
  ['?component=LTS', 0],
  ['?course=SOBM', 2],
  ['?academicYear=2025-2026', 1],
  ['?archive=archived', 1],
  ['?archive=all', 4],
])('narrows by the filters of the list: %s', async (query, count) => {
  expect((await read(query)).count).toBe(count)
})

test.each([
  ['?component=XYZ', 'Please choose the component: ROTC, CWTS, LTS.'],
  ['?academicYear=2026', 'Please give the academic year as two years in a row, such as 2026-2027.'],
  ['?archive=some', 'Please choose which students: all, active, archived.'],
  [
    '?period=ever',
    'Please choose the period: all-time, current-semester, last-semester, current-year, last-7-days.',
  ],
])('refuses %s', async (query, detail) => {
  expect(await desk.admin.refusal('GET', `/mail/audience${query}`)).toMatchObject({ status: 422, detail })
})

test('is for administrators', async () => {
  expect(await desk.nobody.refusal('GET', '/mail/audience')).toMatchObject({
    status: 401,
    detail: 'Authentication required. Please login as admin.',
  })
})

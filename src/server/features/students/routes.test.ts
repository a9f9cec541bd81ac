import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  // Morning of 20 November in Manila: first semester, June to December.
  server = await startTestServer({ now: new Date('2026-11-20T02:00:00Z') })
  cookie = await server.signIn()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('students').execute()
})

const get = (path: string, headers: Record<string, string> = { Cookie: cookie }) =>
  fetch(`${server.url}/api${path}`, { headers })
const getJson = async (path: string) => (await get(path)).json()

describe('without a session', () => {
  test.each(['/students', '/students/ids', '/students/export.xlsx', '/students/x', '/dashboard'])(
    '%s is refused',
    async (path) => {
      const response = await get(path, {})
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({
        code: 'unauthenticated',
        detail: 'Authentication required. Please login as admin.',
      })
    },
  )

  test('bad input is not even looked at', async () => {
    expect((await get('/students?component=NONE', {})).status).toBe(401)
  })
})

describe('GET /students', () => {
  test('gives the newest 50 of the active students', async () => {
    const students = Array.from({ length: 60 }, (_, index) =>
      buildStoredStudent({ lastName: `N${index}`, registrationDate: new Date(1_790_000_000_000 + index) }),
    )
    await server.database.db.insertInto('students').values(students).execute()
    const response = await get('/students')
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const body = await response.json()
    expect(body).toMatchObject({ total: 60, page: 1, pageSize: 50, periodDates: null })
    expect(body.items).toHaveLength(50)
    expect(body.items[0].lastName).toBe('N59')
    expect((await getJson('/students?page=2')).items.at(-1).lastName).toBe('N0')
    expect((await getJson('/students?page=3&pageSize=25')).items).toHaveLength(10)
  })

  test('tells a list without a match from a database without a student', async () => {
    expect(await getJson('/students')).toMatchObject({ total: 0, anyRegistered: false })
    await storeStudent(server.database, { archived: true, archivedDate: new Date() })
    expect(await getJson('/students')).toMatchObject({ total: 0, anyRegistered: true })
    expect(await getJson('/students?archive=all')).toMatchObject({ total: 1, anyRegistered: true })
    expect(await getJson('/students?search=nobody')).toMatchObject({ total: 0, anyRegistered: true })
  })

  test('makes no formatter of its own: each holds memory that no garbage collector sees', async () => {
    await storeStudent(server.database, {})
    await get('/students?period=current-semester')
    const formatters = vi.spyOn(Intl, 'DateTimeFormat')
    await get('/students?period=current-semester')
    expect(formatters).not.toHaveBeenCalled()
    formatters.mockRestore()
  })

  test('gives exactly the columns of the list', async () => {
    const stored = await storeStudent(server.database, { lastName: 'Peña', middleName: '' })
    const { items } = await getJson('/students')
    expect(items).toEqual([
      {
        id: stored.id,
        lastName: 'Peña',
        firstName: 'Juan Miguel',
        middleName: '',
        sex: 'Male',
        course: 'SOICT',
        academicYear: '2026-2027',
        contactNumber: '0917 123 4567',
        email: 'juan.delacruz@student.example',
        nstpComponent: 'CWTS',
        archived: false,
        archivedDate: null,
        emergencyContactName: 'Maria Peña Dela Cruz',
        emergencyContactNumber: '+63 918 765 4321',
        registrationDate: '2026-11-20T02:15:30.000Z',
        isDuplicate: false,
      },
    ])
  })

  test('narrows by search, component, archive status and academic year, and sorts', async () => {
    await storeStudent(server.database, { lastName: 'Abad', nstpComponent: 'ROTC' })
    await storeStudent(server.database, { lastName: 'Abesamis', nstpComponent: 'ROTC' })
    await storeStudent(server.database, {
      lastName: 'Abella',
      nstpComponent: 'ROTC',
      archived: true,
      archivedDate: new Date(),
    })
    await storeStudent(server.database, { lastName: 'Abadilla' })
    const query = 'search=ab&component=ROTC&archive=active&academicYear=2026-2027&sort=-name'
    const { items, total } = await getJson(`/students?${query}`)
    expect(items.map((item: { lastName: string }) => item.lastName)).toEqual(['Abesamis', 'Abad'])
    expect(total).toBe(2)
  })

  test.each([
    ['current-semester', ['November', 'June'], { first: '2026-06-01', last: '2026-12-31' }],
    ['last-semester', ['May', 'January'], { first: '2026-01-01', last: '2026-05-31' }],
    ['current-year', ['November', 'June', 'May', 'January'], { first: '2026-01-01', last: '2026-12-31' }],
    ['last-7-days', ['November'], { first: '2026-11-13', last: '2026-11-20' }],
    ['all-time', ['November', 'June', 'May', 'January', 'Last year'], null],
  ])('period %s', async (period, expected, dates) => {
    const times = {
      November: '2026-11-13T02:00:00Z',
      June: '2026-05-31T16:00:00Z',
      May: '2026-05-31T15:59:59Z',
      January: '2025-12-31T16:00:00Z',
      'Last year': '2025-12-31T15:59:59Z',
    }
    for (const [lastName, instant] of Object.entries(times)) {
      await storeStudent(server.database, { lastName, registrationDate: new Date(instant) })
    }
    const { items, periodDates } = await getJson(`/students?period=${period}`)
    expect(items.map((item: { lastName: string }) => item.lastName)).toEqual(expected)
    expect(periodDates).toEqual(dates)
  })

  test.each([
    [
      'component=NSTP',
      'component',
      'Please choose one of the listed options for component: all, ROTC, CWTS, LTS.',
    ],
    ['archive=yes', 'archive', 'Please choose one of the listed options for archive: all, active, archived.'],
    [
      'academicYear=2026-2028',
      'academicYear',
      "Please give the academic year as two years in a row, such as 2026-2027, or 'all'.",
    ],
    [
      'period=today',
      'period',
      'Please choose one of the listed options for period: all-time, current-semester, last-semester, ' +
        'current-year, last-7-days.',
    ],
    ['page=0', 'page', 'Please give the page as a whole number from 1 to 1000000.'],
    ['page=1e3', 'page', 'Please give the page as a whole number from 1 to 1000000.'],
    ['pageSize=201', 'pageSize', 'Please give the page size as a whole number from 1 to 200.'],
    [`search=${'x'.repeat(101)}`, 'search', 'Please shorten the search to 100 characters or fewer.'],
    ['search=a%00b', 'search', 'Please remove the unusual characters from the search.'],
    ['search=a&search=b', 'search', 'Please give one search text.'],
    ['componnent=ROTC', '', 'There is no such filter: componnent.'],
  ])('refuses %s', async (query, path, message) => {
    const response = await get(`/students?${query}`)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      code: 'invalid',
      detail: message,
      errors: [{ path, message }],
    })
  })

  test('refuses an unknown sort', async () => {
    const body = await getJson('/students?sort=address')
    expect(body.detail).toMatch(/^Please choose one of the listed options for sort: name, -name, sex/)
  })
})

describe('GET /students/ids', () => {
  test('gives the active students of the filters, on every page, in order', async () => {
    await storeStudent(server.database, {
      lastName: 'Gone',
      nstpComponent: 'ROTC',
      archived: true,
      archivedDate: new Date(),
    })
    await storeStudent(server.database, { lastName: 'Other' })
    const second = await storeStudent(server.database, { lastName: 'B', nstpComponent: 'ROTC' })
    const first = await storeStudent(server.database, { lastName: 'A', nstpComponent: 'ROTC' })
    expect(await getJson('/students/ids?component=ROTC&archive=all&sort=name')).toEqual({
      ids: [first.id, second.id],
      total: 2,
    })
  })

  test('knows no pages', async () => {
    expect((await get('/students/ids?page=2')).status).toBe(422)
  })
})

describe('GET /students/:id', () => {
  test('gives the whole record as it was typed, with its version', async () => {
    const stored = await storeStudent(server.database, { workExperience: '=1+1\nand "more"', yearLevel: 3 })
    const response = await get(`/students/${stored.id}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toBe('"1"')
    expect(response.headers.get('Cache-Control')).toBe('no-store, no-transform')
    expect(await response.json()).toEqual({
      ...stored,
      registrationDate: '2026-11-20T02:15:30.000Z',
      consentedAt: '2026-11-20T02:15:30.000Z',
      status: 'Registered',
      archived: false,
      archivedDate: null,
      version: 1,
      isDuplicate: false,
    })
  })

  test.each(['0198f4b2-0000-7000-8000-000000000000', 'nobody', '%00', "'"])('%s is not found', async (id) => {
    const response = await get(`/students/${id}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'not_found', detail: 'Student not found' })
  })
})

describe('GET /dashboard', () => {
  test('counts active students by component and by how recent they are', async () => {
    const day = 86_400_000
    const ago = (milliseconds: number) => new Date(Date.parse('2026-11-20T02:00:00Z') - milliseconds)
    await storeStudent(server.database, { nstpComponent: 'ROTC', registrationDate: ago(7 * day) })
    await storeStudent(server.database, { nstpComponent: 'CWTS', registrationDate: ago(7 * day + 1) })
    await storeStudent(server.database, { nstpComponent: 'CWTS', registrationDate: ago(30 * day) })
    await storeStudent(server.database, { nstpComponent: 'LTS', registrationDate: ago(30 * day + 1) })
    await storeStudent(server.database, {
      nstpComponent: 'LTS',
      registrationDate: ago(0),
      archived: true,
      archivedDate: ago(0),
    })
    expect(await getJson('/dashboard')).toMatchObject({
      totalStudents: 4,
      rotcStudents: 1,
      cwtsStudents: 2,
      ltsStudents: 1,
      recentRegistrations: 3,
      lastSevenDays: 1,
      archivedStudents: 1,
      activeAnnouncements: 0,
      enlistments: { count: 1 },
    })
  })

  test('is all zeros in an empty program', async () => {
    const { enlistments, ...counts } = await getJson('/dashboard')
    expect(new Set(Object.values(counts))).toEqual(new Set([0]))
    expect(enlistments).toEqual({ count: 0, latest: [] })
  })
})

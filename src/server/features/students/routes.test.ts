import { describe, expect, test, vi } from 'vitest'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

// Morning of 20 November in Manila: first semester, June to December.
const app = startStudentsServer({ now: new Date('2026-11-20T02:00:00Z') })

const anonymous = () => createAdminClient(app.server, '')
const get = (path: string) => app.admin.call('GET', path)
const getJson = async (path: string) => (await get(path)).json()

describe('without a session', () => {
  test.each(['/students', '/students/ids', '/students/export.xlsx', '/students/x'])(
    '%s is refused',
    async (path) => {
      const response = await anonymous().call('GET', path)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({
        code: 'unauthenticated',
        detail: 'Authentication required. Please login as admin.',
      })
    },
  )

  test('invalid input is refused before any query', async () => {
    expect((await anonymous().call('GET', '/students?component=NONE')).status).toBe(401)
  })
})

describe('GET /students', () => {
  test('gives the newest 50 of the active students', async () => {
    const students = Array.from({ length: 60 }, (_, index) =>
      buildStoredStudent({ lastName: `N${index}`, registrationDate: new Date(1_790_000_000_000 + index) }),
    )
    await app.database.db.insertInto('students').values(students).execute()
    const response = await get('/students')
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    const body = await response.json()
    expect(body).toMatchObject({ total: 60, page: 1, pageSize: 50, periodDates: null })
    expect(body.items).toHaveLength(50)
    expect(body.items[0].lastName).toBe('N59')
    expect((await getJson('/students?page=2')).items.at(-1).lastName).toBe('N0')
    expect((await getJson('/students?page=3&pageSize=25')).items).toHaveLength(10)
  })

  test('distinguishes a list without a match from a database without a student', async () => {
    expect(await getJson('/students')).toMatchObject({ total: 0, anyRegistered: false })
    await storeStudent(app.database, { archived: true, archivedDate: new Date() })
    expect(await getJson('/students')).toMatchObject({ total: 0, anyRegistered: true })
    expect(await getJson('/students?archive=all')).toMatchObject({ total: 1, anyRegistered: true })
    expect(await getJson('/students?search=nobody')).toMatchObject({ total: 0, anyRegistered: true })
  })

  test('creates no formatter per request: each uses memory outside of the heap', async () => {
    await storeStudent(app.database, {})
    await get('/students?period=current-semester')
    const formatters = vi.spyOn(Intl, 'DateTimeFormat')
    await get('/students?period=current-semester')
    expect(formatters).not.toHaveBeenCalled()
    formatters.mockRestore()
  })

  test('gives exactly the columns of the list', async () => {
    const stored = await storeStudent(app.database, { lastName: 'Peña', middleName: '' })
    const { items } = await getJson('/students')
    expect(items).toEqual([
      {
        id: stored.id,
        lastName: 'Peña',
        firstName: 'Juan Miguel',
        middleName: '',
        extensionName: '',
        studentId: '2026-00123',
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
        restriction: null,
        isDuplicate: false,
      },
    ])
  })

  test('narrows by search, component, archive status and academic year, and sorts', async () => {
    await storeStudent(app.database, { lastName: 'Abad', nstpComponent: 'ROTC' })
    await storeStudent(app.database, { lastName: 'Abesamis', nstpComponent: 'ROTC' })
    await storeStudent(app.database, {
      lastName: 'Abella',
      nstpComponent: 'ROTC',
      archived: true,
      archivedDate: new Date(),
    })
    await storeStudent(app.database, { lastName: 'Abadilla' })
    const query = 'search=ab&component=ROTC&archive=active&academicYear=2026-2027&sort=-name'
    const { items, total } = await getJson(`/students?${query}`)
    expect(items.map((item: { lastName: string }) => item.lastName)).toEqual(['Abesamis', 'Abad'])
    expect(total).toBe(2)
  })

  test('finds the records of a year level, course, sex or month, and those without a value', async () => {
    const none = { fatherName: '', motherName: '', guardianName: '' }
    await storeStudent(app.database, {
      ...{ lastName: 'Abad', yearLevel: 2, studentId: '', course: 'SOTE', sex: 'FEMALE' },
      registrationDate: new Date('2026-10-31T15:59:59Z'),
    })
    await storeStudent(app.database, { lastName: 'Cruz', yearLevel: 2, studentId: '2026-1', ...none })
    await storeStudent(app.database, {
      ...{ lastName: 'Dizon', yearLevel: 1, studentId: '', course: 'SOHM', sex: 'Unsaid' },
      registrationDate: new Date('2026-10-31T16:00:00Z'),
    })
    const named = async (query: string) => {
      const { items, total } = await getJson(`/students?sort=name&${query}`)
      expect(total).toBe(items.length)
      return items.map((item: { lastName: string }) => item.lastName)
    }
    expect(await named('yearLevel=2')).toEqual(['Abad', 'Cruz'])
    expect(await named('missing=studentId')).toEqual(['Abad', 'Dizon'])
    expect(await named('missing=studentId&yearLevel=2&search=aba')).toEqual(['Abad'])
    expect(await named('missing=guardian')).toEqual(['Cruz'])
    expect(await named('course=SOTE')).toEqual(['Abad'])
    expect(await named('sex=female&yearLevel=2')).toEqual(['Abad'])
    expect(await named('sex=other')).toEqual(['Dizon'])
    // Months and days of Manila.
    expect(await named('period=2026-10')).toEqual(['Abad'])
    expect(await named('period=2026-11-01')).toEqual(['Dizon'])
    expect(await named('period=2026&course=SOHM')).toEqual(['Dizon'])
    const { ids } = await getJson('/students/ids?yearLevel=1')
    expect(ids).toHaveLength(1)
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
      await storeStudent(app.database, { lastName, registrationDate: new Date(instant) })
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
      "Please enter the academic year as two consecutive years, such as 2026-2027, or 'all'.",
    ],
    [
      'period=today',
      'period',
      'Please choose one of the listed options for period: all-time, current-semester, last-semester, ' +
        'current-year, last-7-days, or a date such as 2026-11.',
    ],
    ['period=2026-13', 'period', expect.stringContaining('or a date such as 2026-11.')],
    ['sex=x', 'sex', 'Please choose one of the listed options for sex: all, male, female, other.'],
    ['page=0', 'page', 'Please give the page as a whole number from 1 to 1000000.'],
    ['page=1e3', 'page', 'Please give the page as a whole number from 1 to 1000000.'],
    ['pageSize=201', 'pageSize', 'Please give the page size as a whole number from 1 to 200.'],
    [`search=${'x'.repeat(101)}`, 'search', 'Please shorten the search to 100 characters or fewer.'],
    ['search=a%00b', 'search', 'Please remove the unusual characters from the search.'],
    ['search=a&search=b', 'search', 'Please give one search text.'],
    ['componnent=ROTC', '', 'Unknown filter: componnent.'],
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
    expect(body.detail).toMatch(/^Please choose one of the listed options for sort: name, -name, studentId/)
  })
})

describe('GET /students/ids', () => {
  test('gives the active students of the filters, on every page, in order', async () => {
    await storeStudent(app.database, {
      lastName: 'Gone',
      nstpComponent: 'ROTC',
      archived: true,
      archivedDate: new Date(),
    })
    await storeStudent(app.database, { lastName: 'Other' })
    const second = await storeStudent(app.database, { lastName: 'B', nstpComponent: 'ROTC' })
    const first = await storeStudent(app.database, { lastName: 'A', nstpComponent: 'ROTC' })
    expect(await getJson('/students/ids?component=ROTC&archive=all&sort=name')).toEqual({
      ids: [first.id, second.id],
      total: 2,
    })
  })

  test('is an entry of the trail with many students, also after a search that found none', async () => {
    const rows = Array.from({ length: 500 }, () => buildStoredStudent())
    await app.database.db.insertInto('students').values(rows).execute()
    await get('/students/ids?search=nobody')
    await get('/students/ids?search=cruz')
    expect((await app.trail.of('students-listed')).map(({ affected }) => affected)).toEqual([0, 500])
  })

  test('has no pages', async () => {
    expect((await get('/students/ids?page=2')).status).toBe(422)
  })
})

describe('GET /students/:id', () => {
  test('gives the whole record as it was typed, with its version', async () => {
    const stored = await storeStudent(app.database, { workExperience: '=1+1\nand "more"', yearLevel: 3 })
    const response = await get(`/students/${stored.id}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toBe('"1"')
    expect(response.headers.get('Cache-Control')).toBe('private, no-store, no-transform')
    expect(await response.json()).toEqual({
      ...stored,
      registrationDate: '2026-11-20T02:15:30.000Z',
      consentedAt: '2026-11-20T02:15:30.000Z',
      status: 'Registered',
      archived: false,
      archivedDate: null,
      guardianConsentedAt: null,
      restriction: null,
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

describe('choices of stored records', () => {
  describe.each([
    { path: '/students/academic-years', field: 'academicYear', first: '2019-2020', second: '2026-2027' },
    { path: '/students/courses', field: 'course', first: 'bs Nursing', second: 'SOICT' },
  ] as const)('$path', ({ path, field, first, second }) => {
    const items = async () => (await (await app.admin.call('GET', path)).json()).items

    test('has every stored value once, in order, until its last record is deleted', async () => {
      expect(await items()).toEqual([])
      for (const value of [second, first, second]) await storeStudent(app.database, { [field]: value })
      expect(await items()).toEqual([first, second])
      await app.database.db.deleteFrom('students').where(field, '=', first).execute()
      expect(await items()).toEqual([second])
    })

    test('is refused without a session', async () => {
      expect(await anonymous().refusal('GET', path)).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    })
  })

  test('a course removed from the settings can be chosen for bulk mail', async () => {
    await storeStudent(app.database, { course: 'BS Surveying' })
    const { items } = await (await app.admin.call('GET', '/students/courses')).json()
    expect(items).toEqual(['BS Surveying'])
    const audience = await app.admin.call('POST', '/mail/audience', { course: 'BS Surveying' })
    expect(await audience.json()).toMatchObject({ count: 1 })
  })
})

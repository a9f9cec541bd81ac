import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type AuditTrail, createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

describe('change routes', () => {
  const now = new Date('2026-11-20T02:00:00Z')
  const unknownId = '0198f4b2-0000-7000-8000-000000000000'

  let changeRoutesServer: TestServer
  let admin: ReturnType<typeof createAdminClient>
  let trail: AuditTrail

  beforeAll(async () => {
    changeRoutesServer = await startTestServer({ now })
    admin = createAdminClient(changeRoutesServer, await changeRoutesServer.signIn())
    trail = createAuditTrail(changeRoutesServer.database)
  })
  afterAll(() => changeRoutesServer.close())
  beforeEach(async () => {
    await changeRoutesServer.database.db.deleteFrom('students').execute()
    await trail.clear()
  })

  const edit = (id: string, body: unknown, version = 1) =>
    admin.call('PATCH', `/students/${id}`, body, { 'If-Match': `"${version}"` })
  const stored = (id: string) =>
    changeRoutesServer.database.db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirst()

  describe('without a session', () => {
    test.each([
      ['PATCH', `/students/${unknownId}`],
      ['DELETE', `/students/${unknownId}`],
      ['POST', `/students/${unknownId}/archive`],
      ['POST', `/students/${unknownId}/unarchive`],
    ])('%s %s is refused', async (method, path) => {
      expect(await createAdminClient(changeRoutesServer, '').refusal(method, path)).toEqual({
        status: 401,
        code: 'unauthenticated',
        detail: 'Authentication required. Please login as admin.',
      })
    })
  })

  describe('a deleted record', () => {
    test.each([
      ['PATCH', `/students/${unknownId}`],
      ['PATCH', '/students/nobody'],
      ['DELETE', `/students/${unknownId}`],
      ['POST', `/students/${unknownId}/archive`],
      ['POST', `/students/${unknownId}/unarchive`],
    ])('%s %s is not found', async (method, path) => {
      const body = method === 'PATCH' ? {} : undefined
      expect(await admin.refusal(method, path, body, { 'If-Match': '"1"' })).toEqual({
        status: 404,
        code: 'not_found',
        detail: 'Student not found',
      })
    })
  })

  describe('PATCH /students/:id', () => {
    const changes = {
      firstName: 'Maria Niña',
      middleName: '',
      lastName: "D'Souza",
      sex: 'Female',
      course: 'SOTE',
      contactNumber: '(02) 8555-0144',
      email: 'maria@school.example.ph',
      nstpComponent: 'ROTC',
      emergencyContactName: 'Ana D’Souza',
      emergencyContactNumber: '0918 000 1111',
      address: '14 Mabini Street, Pasig',
    }

    test('changes the fields that are sent, trimmed, and nothing else', async () => {
      const student = await storeStudent(changeRoutesServer.database)
      const response = await edit(student.id, { ...changes, firstName: '  Maria Niña ' })
      expect(response.status).toBe(200)
      expect(response.headers.get('ETag')).toBe('"2"')
      expect(await response.json()).toEqual({
        ...student,
        ...changes,
        version: 2,
        status: 'Registered',
        archived: false,
        archivedDate: null,
        guardianConsentedAt: null,
        restriction: null,
        registrationDate: '2026-11-20T02:15:30.000Z',
        consentedAt: '2026-11-20T02:15:30.000Z',
      })
      expect(await stored(student.id)).toMatchObject({ ...changes, version: 2 })
    })

    test('notes who changed which fields; the values lie apart', async () => {
      const { id, reference } = await storeStudent(changeRoutesServer.database, { lastName: 'Cruz' })
      await edit(id, { lastName: 'Reyes', firstName: 'Juan Miguel' })
      expect(await trail.entries()).toMatchObject([
        { action: 'student-edited', studentId: id, subject: reference, fields: ['lastName'], affected: 1 },
      ])
      expect(await trail.values()).toMatchObject([
        { studentId: id, before: { lastName: 'Cruz' }, after: { lastName: 'Reyes' } },
      ])
    })

    test('the stored values change nothing', async () => {
      const { id } = await storeStudent(changeRoutesServer.database, { lastName: 'Cruz' })
      for (const body of [{}, { lastName: 'Cruz' }, { lastName: ' Cruz ' }]) {
        const response = await edit(id, body)
        expect(response.status).toBe(200)
        expect((await response.json()).version).toBe(1)
      }
      expect(await trail.entries()).toEqual([])
    })

    test('stored values that are no longer offered are accepted, invented ones are not', async () => {
      const { id } = await storeStudent(changeRoutesServer.database, { course: 'SOLD', nstpComponent: 'LTS' })
      const edited = await edit(id, { course: 'SOLD', nstpComponent: 'LTS', lastName: 'Reyes' })
      expect(await edited.json()).toMatchObject({ course: 'SOLD', nstpComponent: 'LTS', version: 2 })
      const courseMessage = 'Please choose one of the listed options for course.'
      const componentMessage = 'Please choose one of the listed options for nstp component.'
      expect(
        await admin.refusal(
          'PATCH',
          `/students/${id}`,
          { course: 'SOLD2', nstpComponent: 'NSTP' },
          { 'If-Match': '"2"' },
        ),
      ).toEqual({
        status: 422,
        code: 'invalid',
        detail: courseMessage,
        errors: [
          { path: 'course', message: courseMessage },
          { path: 'nstpComponent', message: componentMessage },
        ],
      })
      expect((await edit(id, { nstpComponent: 'CWTS' }, 2)).status).toBe(200)
    })

    test.each([
      [{ lastName: ' ' }, 'lastName', 'Please fill in the last name field.'],
      [{ sex: 'male' }, 'sex', 'Please choose one of the listed options for sex.'],
      [{ email: 'maria@' }, 'email', 'Please enter a valid email address.'],
      [{ contactNumber: 'none' }, 'contactNumber', 'Please enter a valid contact number.'],
      [
        { emergencyContactNumber: 'x' },
        'emergencyContactNumber',
        'Please enter a valid emergency contact number.',
      ],
      [{ address: 'x'.repeat(301) }, 'address', 'Please shorten the address to 300 characters or fewer.'],
      [{ lastName: 'a\nb' }, 'lastName', 'Please remove the unusual characters from the last name field.'],
      [{ lastName: 7 }, 'lastName', 'Please send the last name as text.'],
      [{ lastName: 'X', archived: true, id: unknownId }, '', "These fields can't be edited: archived, id."],
      [['lastName'], '', "An edit is one object with fields of a student's record."],
    ])('refuses %j', async (body, path, message) => {
      const { id } = await storeStudent(changeRoutesServer.database)
      expect(await admin.refusal('PATCH', `/students/${id}`, body, { 'If-Match': '"1"' })).toEqual({
        status: 422,
        code: 'invalid',
        detail: message,
        errors: [{ path, message }],
      })
      expect(await stored(id)).toMatchObject({ version: 1 })
    })

    test.each([undefined, '*', '1', 'W/"1"', '"one"'])('refuses If-Match %s', async (tag) => {
      const { id } = await storeStudent(changeRoutesServer.database)
      const message = 'Please send the version that you saw as If-Match: "version".'
      expect(
        await admin.refusal('PATCH', `/students/${id}`, { lastName: 'X' }, tag ? { 'If-Match': tag } : {}),
      ).toMatchObject({ status: 422, detail: message, errors: [{ path: 'if-match', message }] })
    })

    test('refuses an edit of a version that is no longer', async () => {
      const { id } = await storeStudent(changeRoutesServer.database)
      await edit(id, { lastName: 'First' })
      expect(
        await admin.refusal('PATCH', `/students/${id}`, { lastName: 'Second' }, { 'If-Match': '"1"' }),
      ).toEqual({
        status: 409,
        code: 'conflict',
        detail: 'Someone else changed this in the meantime. Please review the change and try again.',
      })
      expect(await stored(id)).toMatchObject({ lastName: 'First', version: 2 })
    })

    test('of 50 concurrent edits of one version, one succeeds and 49 are conflicts', async () => {
      const { id } = await storeStudent(changeRoutesServer.database)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => edit(id, { lastName: `Winner ${index}` })),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 409)).toHaveLength(49)
      expect(await stored(id)).toMatchObject({
        version: 2,
        lastName: `Winner ${statuses.indexOf(200)}`,
      })
      expect(await trail.entries()).toHaveLength(1)
    })
  })

  describe('archiving', () => {
    test('notes the time, and unarchiving clears it', async () => {
      const { id, reference } = await storeStudent(changeRoutesServer.database)
      const archived = await admin.call('POST', `/students/${id}/archive`)
      expect(archived.status).toBe(200)
      expect(await archived.json()).toMatchObject({
        archived: true,
        archivedDate: now.toISOString(),
        version: 2,
      })
      const active = await admin.call('POST', `/students/${id}/unarchive`)
      expect(active.headers.get('ETag')).toBe('"3"')
      expect(await active.json()).toMatchObject({ archived: false, archivedDate: null, version: 3 })
      expect(await trail.entries()).toMatchObject([
        { action: 'student-archived', studentId: id, subject: reference },
        { action: 'student-unarchived', studentId: id, subject: reference },
      ])
    })

    test('archiving an archived record, or restoring an active one, changes nothing', async () => {
      const archivedDate = new Date('2026-01-01T00:00:00Z')
      const old = await storeStudent(changeRoutesServer.database, { archived: true, archivedDate })
      const archived = await admin.call('POST', `/students/${old.id}/archive`)
      expect(archived.status).toBe(200)
      expect(await archived.json()).toMatchObject({ archivedDate: archivedDate.toISOString(), version: 1 })
      const active = await storeStudent(changeRoutesServer.database)
      expect(await (await admin.call('POST', `/students/${active.id}/unarchive`)).json()).toMatchObject({
        archived: false,
        version: 1,
      })
      expect(await trail.entries()).toEqual([])
    })
  })

  describe('DELETE /students/:id', () => {
    test.each([true, false])('deletes for good, archived: %s', async (archived) => {
      const { id, reference } = await storeStudent(changeRoutesServer.database, {
        archived,
        archivedDate: archived ? now : null,
      })
      expect((await admin.call('DELETE', `/students/${id}`)).status).toBe(204)
      expect(await stored(id)).toBeUndefined()
      expect((await admin.call('DELETE', `/students/${id}`)).status).toBe(404)
      expect(await trail.entries()).toMatchObject([
        { action: 'student-deleted', studentId: id, subject: reference },
      ])
    })

    test('erases the old values of the audit trail, not the entries', async () => {
      const { id } = await storeStudent(changeRoutesServer.database)
      await edit(id, { lastName: 'Reyes' })
      await admin.call('DELETE', `/students/${id}`)
      expect(await trail.values()).toEqual([])
      expect(await trail.actions()).toEqual(['student-edited', 'student-deleted'])
    })
  })

  describe('GET /students/:id', () => {
    test('several views within ten minutes are one entry', async () => {
      const { id, reference } = await storeStudent(changeRoutesServer.database)
      await admin.call('GET', `/students/${id}`)
      await admin.call('GET', `/students/${id}`)
      expect(await trail.entries()).toMatchObject([
        { action: 'student-viewed', studentId: id, subject: reference },
      ])
    })
  })
})

describe('routes', () => {
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

    test('invalid input is refused before any query', async () => {
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
      await storeStudent(server.database, { archived: true, archivedDate: new Date() })
      expect(await getJson('/students')).toMatchObject({ total: 0, anyRegistered: true })
      expect(await getJson('/students?archive=all')).toMatchObject({ total: 1, anyRegistered: true })
      expect(await getJson('/students?search=nobody')).toMatchObject({ total: 0, anyRegistered: true })
    })

    test('creates no formatter per request: each uses memory outside of the heap', async () => {
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
          restriction: null,
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

    test('finds the records of a year level, course, sex or month, and those without a value', async () => {
      const none = { fatherName: '', motherName: '', guardianName: '' }
      await storeStudent(server.database, {
        ...{ lastName: 'Abad', yearLevel: 2, studentId: '', course: 'SOTE', sex: 'FEMALE' },
        registrationDate: new Date('2026-10-31T15:59:59Z'),
      })
      await storeStudent(server.database, { lastName: 'Cruz', yearLevel: 2, studentId: '2026-1', ...none })
      await storeStudent(server.database, {
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
      [
        'archive=yes',
        'archive',
        'Please choose one of the listed options for archive: all, active, archived.',
      ],
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

    test('has no pages', async () => {
      expect((await get('/students/ids?page=2')).status).toBe(422)
    })
  })

  describe('GET /students/:id', () => {
    test('gives the whole record as it was typed, with its version', async () => {
      const stored = await storeStudent(server.database, { workExperience: '=1+1\nand "more"', yearLevel: 3 })
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

    test.each(['0198f4b2-0000-7000-8000-000000000000', 'nobody', '%00', "'"])(
      '%s is not found',
      async (id) => {
        const response = await get(`/students/${id}`)
        expect(response.status).toBe(404)
        expect(await response.json()).toMatchObject({ code: 'not_found', detail: 'Student not found' })
      },
    )
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
      const { enlistments, quotas, ...counts } = await getJson('/dashboard')
      expect(new Set(Object.values(counts))).toEqual(new Set([0]))
      expect(enlistments).toEqual({ count: 0, latest: [] })
      expect(quotas).toEqual([])
    })
  })
})

describe('choices of stored records', () => {
  let server: TestServer
  let admin: ReturnType<typeof createAdminClient>

  beforeAll(async () => {
    server = await startTestServer()
    admin = createAdminClient(server, await server.signIn())
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.db.deleteFrom('students').execute()
  })

  describe.each([
    { path: '/students/academic-years', field: 'academicYear', first: '2019-2020', second: '2026-2027' },
    { path: '/students/courses', field: 'course', first: 'bs Nursing', second: 'SOICT' },
  ] as const)('$path', ({ path, field, first, second }) => {
    const items = async () => (await (await admin.call('GET', path)).json()).items

    test('has every stored value once, in order, until its last record is deleted', async () => {
      expect(await items()).toEqual([])
      for (const value of [second, first, second]) await storeStudent(server.database, { [field]: value })
      expect(await items()).toEqual([first, second])
      await server.database.db.deleteFrom('students').where(field, '=', first).execute()
      expect(await items()).toEqual([second])
    })

    test('is refused without a session', async () => {
      expect(await createAdminClient(server, '').refusal('GET', path)).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    })
  })

  test('a course removed from the settings can be chosen for bulk mail', async () => {
    await storeStudent(server.database, { course: 'BS Surveying' })
    const { items } = await (await admin.call('GET', '/students/courses')).json()
    expect(items).toEqual(['BS Surveying'])
    const audience = await admin.call('POST', '/mail/audience', { course: 'BS Surveying' })
    expect(await audience.json()).toMatchObject({ count: 1 })
  })
})

describe('unseen routes', () => {
  const now = new Date('2027-01-20T02:00:00Z')

  let server: TestServer
  let admin: ReturnType<typeof createAdminClient>

  beforeAll(async () => {
    server = await startTestServer({ now })
    admin = createAdminClient(server, await server.signIn())
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.db.deleteFrom('students').execute()
  })

  const unseen = async () => (await (await admin.call('GET', '/students/unseen')).json()).count

  test('counts the registrations since the list was last opened', async () => {
    await storeStudent(server.database, { registrationDate: new Date('2020-01-01T00:00:00Z') })
    await storeStudent(server.database, { registrationDate: now })
    expect(await unseen()).toBe(1)
    expect((await admin.call('PUT', '/students/seen')).status).toBe(204)
    expect(await unseen()).toBe(0)
    await storeStudent(server.database, { registrationDate: new Date(now.getTime() + 1) })
    expect(await unseen()).toBe(1)
  })

  test('counts no further than a thousand', async () => {
    const registrationDate = new Date(now.getTime() + 60_000)
    for (let batch = 0; batch < 3; batch++) {
      await server.database.db
        .insertInto('students')
        .values(Array.from({ length: 400 }, () => buildStoredStudent({ registrationDate })))
        .execute()
    }
    expect(await unseen()).toBe(1_000)
  })

  test.each([
    ['GET', '/students/unseen'],
    ['PUT', '/students/seen'],
  ])('%s %s is refused without a session', async (method, path) => {
    expect(await createAdminClient(server, '').refusal(method, path)).toEqual({
      status: 401,
      code: 'unauthenticated',
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

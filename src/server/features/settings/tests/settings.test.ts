import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultSettings, type VersionedSettings } from '#shared/settings/settings.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { officeSettings } from '#tests/setup/office-settings.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
})
afterAll(() => server.close())
beforeEach(async () => {
  const { logo, ...all } = officeSettings
  expect(logo).toBeNull()
  expect((await change(all)).status).toBe(200)
})

async function read(from = server): Promise<VersionedSettings> {
  const response = await fetch(`${from.url}/api/settings`, { headers: { cookie } })
  return await response.json()
}

async function change(body: Record<string, unknown>, options: { version?: number; cookie?: string } = {}) {
  const version = options.version ?? (await read()).version
  return await fetch(`${server.url}/api/settings`, {
    method: 'PATCH',
    headers: {
      'Content-Type': 'application/json',
      'If-Match': `"${version}"`,
      cookie: options.cookie ?? cookie,
    },
    body: JSON.stringify(body),
  })
}

function register(body: Record<string, unknown>, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ ...buildRegistration(), ...body }),
  })
}

async function offer(from = server) {
  return await (await fetch(`${from.url}/api/registrations/offer`)).json()
}

describe('reading', () => {
  test('gives all settings with their version as ETag', async () => {
    const response = await fetch(`${server.url}/api/settings`, { headers: { cookie } })
    const settings = await response.json()
    expect(settings).toEqual({ ...officeSettings, version: settings.version })
    expect(response.headers.get('ETag')).toBe(`"${settings.version}"`)
    expect(response.headers.get('Cache-Control')).toContain('no-store')
  })

  test('is for the administrator; the names and the state of registration are public', async () => {
    const refused = await fetch(`${server.url}/api/settings`)
    expect(refused.status).toBe(401)
    expect((await refused.json()).detail).toBe('Authentication required. Please login as admin.')
    await change({ systemName: 'NSTP of Santa Rosa', schoolName: 'Santa Rosa College' })
    const site = await (await fetch(`${server.url}/api/site`)).json()
    expect(site).toEqual({
      systemName: 'NSTP of Santa Rosa',
      schoolName: 'Santa Rosa College',
      logoUrl: null,
      enlistment: null,
      recordRetentionYears: 10,
    })
  })
})

// Written out, so that a changed default or limit is noticed here: the privacy notice and the guide promise them.
test('a new portal keeps what the law and the mail providers allow', () => {
  const { recordRetentionYears, auditRetentionMonths, twoFactorRequired, mailPerDay, mailPerMinute } =
    defaultSettings
  expect({
    recordRetentionYears,
    auditRetentionMonths,
    twoFactorRequired,
    mailPerDay,
    mailPerMinute,
  }).toEqual({
    recordRetentionYears: 10,
    auditRetentionMonths: 36,
    twoFactorRequired: 'nobody',
    mailPerDay: 450,
    mailPerMinute: 20,
  })
  const { quotas, onlyWithCode, publicAddress, logo, programs } = defaultSettings
  expect({ quotas, onlyWithCode, publicAddress, logo, programs }).toEqual({
    quotas: { ROTC: null, CWTS: null, LTS: null },
    onlyWithCode: false,
    publicAddress: '',
    logo: null,
    programs: [],
  })
})

describe('changing', () => {
  test('changes only the sent members, and increments the version', async () => {
    const { version } = await read()
    const response = await change({ schoolName: '  Santa Rosa College ' }, { version })
    expect(response.status).toBe(200)
    expect(response.headers.get('ETag')).toBe(`"${version + 1}"`)
    const expected = { ...officeSettings, schoolName: 'Santa Rosa College', version: version + 1 }
    expect(await response.json()).toEqual(expected)
    expect(await read()).toEqual(expected)
  })

  test('to the same values has no effect', async () => {
    const { version } = await read()
    const { semesters, courses } = defaultSettings
    expect(await (await change({ semesters, courses }, { version })).json()).toMatchObject({ version })
  })

  test('leaves saved semesters unchanged when the default changes', async () => {
    const semesters = [
      { name: 'First', firstMonth: 8, lastMonth: 12 },
      { name: 'Second', firstMonth: 1, lastMonth: 5 },
      { name: 'Summer', firstMonth: 6, lastMonth: 7 },
    ]
    await change({ semesters })
    await change({ schoolName: 'Santa Rosa College' })
    expect((await read()).semesters).toEqual(semesters)
  })

  test('needs a session', async () => {
    const response = await change({ schoolName: 'Intruders' }, { cookie: '' })
    expect(response.status).toBe(401)
    expect((await response.json()).detail).toBe('Authentication required. Please login as admin.')
    expect((await read()).schoolName).toBe('')
  })

  test('that breaks rules reports each at its path and saves nothing', async () => {
    const response = await change({ schoolName: 'Kept out', courses: ['SOICT', ''], recordRetentionYears: 0 })
    expect(response.status).toBe(422)
    expect((await response.json()).errors).toEqual([
      { path: 'courses.1', message: 'Please fill in the name of the course.' },
      {
        path: 'recordRetentionYears',
        message: 'Please enter the years to keep records as a whole number from 1 to 100.',
      },
    ])
    expect((await read()).schoolName).toBe('')
  })

  test('that breaks a rule between two settings is validated with the stored values', async () => {
    await change({ currentAcademicYear: '2026-2027' })
    const response = await change({ academicYears: ['2027-2028'] })
    expect(response.status).toBe(422)
    expect((await response.json()).detail).toBe(
      'Please choose one of the available academic years, or Automatic.',
    )
  })

  test('without its version is refused', async () => {
    const response = await fetch(`${server.url}/api/settings`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', cookie },
      body: '{"schoolName":"x"}',
    })
    expect(response.status).toBe(422)
    expect((await response.json()).detail).toBe(
      'Please send the version that you saw as If-Match: "version".',
    )
  })

  test('succeeds once among twenty concurrent ones of one version', async () => {
    const { version } = await read()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => change({ schoolName: `School ${index}` }, { version })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect((await read()).version).toBe(version + 1)
  })

  test('is recorded in the audit trail with the old and new values', async () => {
    await change({ courses: ['SOICT', 'BSN'] })
    const event = await server.database.db
      .selectFrom('auditEvents')
      .innerJoin('auditValues', 'auditValues.eventId', 'auditEvents.id')
      .select(['action', 'actor', 'fields', 'subject', 'before', 'after'])
      .orderBy('at', 'desc')
      .executeTakeFirstOrThrow()
    expect(event).toEqual({
      action: 'settings-changed',
      actor: server.env.ADMIN_EMAIL,
      fields: ['courses'],
      // The fields name them.
      subject: '',
      before: { courses: defaultSettings.courses },
      after: { courses: ['SOICT', 'BSN'] },
    })
  })
})

describe('what follows the settings', () => {
  test('registration offers and accepts the configured courses and years', async () => {
    await change({
      courses: ['BSN', 'SOICT'],
      academicYears: ['2030-2031', '2028-2029'],
      currentAcademicYear: '2028-2029',
    })
    expect(await offer()).toMatchObject({
      courses: ['BSN', 'SOICT'],
      academicYears: ['2030-2031', '2028-2029'],
      currentAcademicYear: '2028-2029',
      closed: null,
    })
    expect((await register({ course: 'BSN', academicYear: '2030-2031' })).status).toBe(201)
    const refused = await register({ course: 'SOBM', academicYear: '2030-2031' })
    expect(refused.status).toBe(422)
    expect((await refused.json()).errors).toEqual([
      { path: 'course', message: 'Please choose one of the listed options for course.' },
    ])
  })

  test('registration offers and accepts the degree programs of the courses', async () => {
    const programs = [{ course: 'SOICT', name: 'BS Information Technology' }]
    expect(await offer()).toMatchObject({ programs: [] })
    await change({ programs })
    expect(await offer()).toMatchObject({ programs })
    const { id } = await (await register({ course: 'SOICT', program: 'BS Information Technology' })).json()
    const stored = await fetch(`${server.url}/api/students/${id}`, { headers: { cookie } })
    expect(await stored.json()).toMatchObject({ program: 'BS Information Technology' })
    const refused = await register({ course: 'SOBM', program: 'BS Information Technology' })
    expect((await refused.json()).errors).toEqual([
      { path: 'program', message: 'Please choose a degree program of your course, or leave it empty.' },
    ])
  })

  test('a record with a removed course and year is listed, found, read and exported', async () => {
    const { id } = await (await register({ course: 'SOTE', academicYear: '2023-2024' })).json()
    await change({ courses: ['SOICT'], academicYears: ['2026-2027'] })
    const get = (path: string) => fetch(`${server.url}/api/students${path}`, { headers: { cookie } })
    const list = await (await get('?academicYear=2023-2024&search=sote')).json()
    expect(list.items).toMatchObject([{ id, course: 'SOTE', academicYear: '2023-2024' }])
    expect(await (await get(`/${id}`)).json()).toMatchObject({ course: 'SOTE', academicYear: '2023-2024' })
    const workbook = await get('/export.xlsx?academicYear=2023-2024')
    expect(workbook.status).toBe(200)
    expect((await workbook.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
  })

  test('closed enlistment refuses registrations with its message, and nothing else', async () => {
    const sentence = 'We are moving offices. Please come back on Monday.'
    const headers = { 'Idempotency-Key': 'before-the-doors-closed' }
    const before = await (await register({}, headers)).json()
    const { enlistment } = officeSettings
    await change({ enlistment: { ...enlistment, state: 'closed', message: sentence } })
    expect((await offer()).closed).toBe(sentence)
    const refused = await register({})
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ code: 'unavailable', detail: sentence })
    // Its response was lost: a retry while it is closed still gets the registration.
    expect(await (await register({}, headers)).json()).toEqual(before)
    expect((await fetch(`${server.url}/api/students`, { headers: { cookie } })).status).toBe(200)
    expect(await server.signIn()).toContain('nstp-session')
    await change({ enlistment })
    expect((await register({})).status).toBe(201)
  })
})

test('another process applies a change soon, and returns the new version at once', async () => {
  const other = await startTestServer({ database: server.database })
  try {
    await change({ courses: ['BSN'] })
    expect((await read(other)).courses).toEqual(['BSN'])
    await change({ courses: ['BSBA'] })
    await vi.waitFor(async () => expect((await offer(other)).courses).toEqual(['BSBA']), { timeout: 3_000 })
  } finally {
    await other.close()
  }
})

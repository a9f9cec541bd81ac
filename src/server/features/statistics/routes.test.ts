import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Statistics } from '#shared/statistics/statistics-response.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
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

async function read(query = ''): Promise<Statistics> {
  const response = await get(`/statistics${query}`)
  expect(response.status).toBe(200)
  return response.json()
}

type Overrides = Parameters<typeof storeStudent>[1]

async function store(count: number, overrides: Overrides) {
  for (let index = 0; index < count; index++) await storeStudent(server.database, overrides)
}

function notePrint(body: unknown, headers: Record<string, string> = { Cookie: cookie }) {
  return fetch(`${server.url}/api/statistics/prints`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

function trail(action: 'statistics-exported' | 'statistics-printed') {
  return server.database.db
    .selectFrom('auditEvents')
    .select(['actor', 'affected', 'detail', 'subject'])
    .where('action', '=', action)
    .orderBy('id')
    .execute()
}

test.each([
  ['the figures', () => get('/statistics', {})],
  ['the export', () => get('/statistics/export.xlsx', {})],
  ['a print', () => notePrint({}, {})],
])('without a session %s are refused with the message of the page', async (_what, request) => {
  const response = await request()
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    code: 'unauthenticated',
    detail: 'Authentication required. Please login.',
  })
})

const badFilters: [string, string, string][] = [
  [
    'period=today',
    'period',
    'Please choose one of the listed options for period: all-time, current-semester, last-semester, ' +
      'current-year, last-7-days.',
  ],
  [
    'component=NSTP',
    'component',
    'Please choose one of the listed options for component: all, ROTC, CWTS, LTS.',
  ],
  ['componnent=ROTC', '', 'Unknown filter: componnent.'],
]

test.each(badFilters)('%s is refused', async (query, path, message) => {
  const answers = [
    await get(`/statistics?${query}`),
    await get(`/statistics/export.xlsx?${query}`),
    await notePrint(Object.fromEntries(new URLSearchParams(query))),
  ]
  for (const response of answers) {
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'invalid', errors: [{ path, message }] })
  }
})

test('a print is written to the audit trail', async () => {
  const response = await notePrint({ period: 'current-year', component: 'ROTC' })
  expect(response.status).toBe(204)
  expect(await trail('statistics-printed')).toEqual([
    {
      actor: server.env.ADMIN_EMAIL,
      affected: 0,
      subject: '',
      detail: { period: 'current-year', component: 'ROTC' },
    },
  ])
})

describe('the export', () => {
  test('has a column of a second period', async () => {
    await store(2, { nstpComponent: 'ROTC', sex: 'Female', course: 'SOBM' })
    await store(1, {
      ...{ nstpComponent: 'ROTC', sex: 'Male', course: 'SOICT' },
      registrationDate: new Date('2026-05-05T00:00:00Z'),
    })
    const response = await get('/statistics/export.xlsx?period=current-semester&compare=last-semester')
    const sheets = await readWorkbook(Buffer.from(await response.arrayBuffer()))
    const { Filters: filters, ...tables } = Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data]))
    expect(filters).toContainEqual(['Compared with', 'Last Semester, 2026-01-01 to 2026-05-31'])
    expect(tables).toMatchObject({
      Summary: [
        ['Figure', 'Students', 'Percent', 'Last Semester'],
        ['Total Students', 2, 100, 1],
        ['ROTC', 2, 100, 1],
        ['CWTS', 0, 0, 0],
        ['LTS', 0, 0, 0],
        ['Archived', 0, 0, 0],
      ],
      'Gender Distribution': [
        ['Gender', 'Students', 'Percent', 'Last Semester'],
        ['Male', 0, 0, 1],
        ['Female', 2, 100, 0],
        ['Other', 0, 0, 0],
      ],
      'Popular Courses': [
        ['Rank', 'Course', 'Students', 'Percent', 'Last Semester'],
        [1, 'SOBM', 2, 100, 0],
        [null, 'SOICT', 0, 0, 1],
      ],
      'Registrations compared': [
        ['Month', 'Registrations'],
        ...['01', '02', '03', '04'].map((month) => [`2026-${month}`, 0]),
        ['2026-05', 1],
      ],
    })
    const refused = await get('/statistics/export.xlsx?compare=today')
    expect(refused.status).toBe(422)
  })

  test('is a workbook with a sheet for each table, of the same filters', async () => {
    await store(2, { nstpComponent: 'ROTC', sex: 'Female', course: 'SOBM', yearLevel: 2 })
    await store(1, { nstpComponent: 'ROTC', registrationDate: new Date('2026-05-05T00:00:00Z') })
    await store(1, { nstpComponent: 'CWTS' })
    const response = await get('/statistics/export.xlsx?period=current-semester&component=ROTC')
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Disposition')).toContain('NSTP statistics 2026-11-20.xlsx')
    const sheets = await readWorkbook(Buffer.from(await response.arrayBuffer()))
    expect(Object.fromEntries(sheets.map(({ sheet, data }) => [sheet, data]))).toEqual({
      Filters: [
        ['Filter', 'Value'],
        ['Period', 'Current Semester'],
        ['Dates', '2026-06-01 to 2026-12-31'],
        ['Component', 'ROTC'],
        ['Previous period', '2026-01-01 to 2026-05-31'],
        ['Students in the previous period', '1'],
        ['Difference', '+1'],
        ['Male : female', '0:2'],
      ],
      Summary: [
        ['Figure', 'Students', 'Percent'],
        ['Total Students', 2, 100],
        ['ROTC', 2, 100],
        ['CWTS', 0, 0],
        ['LTS', 0, 0],
        ['Archived', 0, 0],
      ],
      'Gender Distribution': [
        ['Gender', 'Students', 'Percent'],
        ['Male', 0, 0],
        ['Female', 2, 100],
        ['Other', 0, 0],
      ],
      'Popular Courses': [
        ['Rank', 'Course', 'Students', 'Percent'],
        [1, 'SOBM', 2, 100],
      ],
      'Year Level Distribution': [
        ['Year Level', 'Students', 'Percent'],
        ...[1, 2, 3, 4, 5].map((level) => [`Year ${level}`, level === 2 ? 2 : 0, level === 2 ? 100 : 0]),
        ['Others', 0, 0],
      ],
      Registrations: [
        ['Month', 'Registrations'],
        ['2026-06', 0],
        ['2026-07', 0],
        ['2026-08', 0],
        ['2026-09', 0],
        ['2026-10', 0],
        ['2026-11', 2],
        ['2026-12', 0],
      ],
    })
  })

  test('is written to the audit trail', async () => {
    await (await get('/statistics/export.xlsx?component=LTS')).arrayBuffer()
    expect((await trail('statistics-exported')).at(-1)).toEqual({
      actor: server.env.ADMIN_EMAIL,
      affected: 0,
      subject: '',
      detail: { period: 'all-time', component: 'LTS' },
    })
  })
})

test('without records everything is zero', async () => {
  expect(await read()).toEqual({
    period: 'all-time',
    component: 'all',
    periodDates: null,
    total: 0,
    rotc: { count: 0, percent: 0 },
    cwts: { count: 0, percent: 0 },
    lts: { count: 0, percent: 0 },
    archived: { count: 0, percent: 0 },
    difference: null,
    gender: {
      male: { count: 0, percent: 0 },
      female: { count: 0, percent: 0 },
      other: { count: 0, percent: 0 },
      ratio: '0:0',
    },
    courses: [],
    yearLevels: [1, 2, 3, 4, 5, null].map((yearLevel) => ({ yearLevel, count: 0, percent: 0 })),
    registrations: { unit: 'month', buckets: [] },
  })
})

describe('what is counted', () => {
  test('components and archived records, as counts and shares of the total', async () => {
    await store(2, { nstpComponent: 'ROTC' })
    await store(3, { nstpComponent: 'CWTS' })
    await store(1, { nstpComponent: 'LTS', archived: true, archivedDate: new Date() })
    expect(await read()).toMatchObject({
      total: 6,
      rotc: { count: 2, percent: 33.3 },
      cwts: { count: 3, percent: 50 },
      lts: { count: 1, percent: 16.7 },
      archived: { count: 1, percent: 16.7 },
    })
  })

  test('sex in any case, other values as other', async () => {
    await store(3, { sex: 'Male' })
    await store(1, { sex: 'MALE' })
    await store(2, { sex: 'female' })
    await store(2, { sex: 'X' })
    expect((await read()).gender).toEqual({
      male: { count: 4, percent: 50 },
      female: { count: 2, percent: 25 },
      other: { count: 2, percent: 25 },
      ratio: '2:1',
    })
  })

  test('courses, the most popular first, the missing one as Unknown', async () => {
    const counts = { SOICT: 8, SOBM: 6, '': 4, SOHM: 3, SOCJ: 2, SOTE: 1 }
    for (const [course, count] of Object.entries(counts)) await store(count, { course })
    expect((await read()).courses).toEqual([
      { rank: 1, course: 'SOICT', count: 8, percent: 33.3, bar: 100 },
      { rank: 2, course: 'SOBM', count: 6, percent: 25, bar: 75 },
      { rank: 3, course: 'Unknown', count: 4, percent: 16.7, bar: 50 },
      { rank: 4, course: 'SOHM', count: 3, percent: 12.5, bar: 37.5 },
      { rank: 5, course: 'SOCJ', count: 2, percent: 8.3, bar: 25 },
      { rank: 6, course: 'SOTE', count: 1, percent: 4.2, bar: 12.5 },
    ])
  })

  test('year levels 1 to 5', async () => {
    await store(3, { yearLevel: 1 })
    await store(1, { yearLevel: 5 })
    expect((await read()).yearLevels).toEqual([
      { yearLevel: 1, count: 3, percent: 75 },
      { yearLevel: 2, count: 0, percent: 0 },
      { yearLevel: 3, count: 0, percent: 0 },
      { yearLevel: 4, count: 0, percent: 0 },
      { yearLevel: 5, count: 1, percent: 25 },
      { yearLevel: null, count: 0, percent: 0 },
    ])
  })

  test('only one component when asked', async () => {
    await store(2, { nstpComponent: 'ROTC', sex: 'Female' })
    await store(3, { nstpComponent: 'CWTS' })
    expect(await read('?component=ROTC')).toMatchObject({
      component: 'ROTC',
      total: 2,
      rotc: { count: 2, percent: 100 },
      cwts: { count: 0, percent: 0 },
      gender: { female: { count: 2 }, male: { count: 0 }, ratio: '0:2' },
      courses: [{ count: 2 }],
    })
  })
})

describe('periods', () => {
  const instants = {
    'this week': '2026-11-14T02:00:00Z',
    // Noon on 13 November in Manila: within the 168 hours that began at ten.
    'a week ago': '2026-11-13T04:00:00Z',
    // Nine in the morning of that day: before them.
    'the week before': '2026-11-13T01:00:00Z',
    'first of June': '2026-05-31T16:00:00Z',
    'last of May': '2026-05-31T15:59:59Z',
    May: '2026-05-05T00:00:00Z',
    'the year before': '2025-12-31T15:59:59Z',
  }
  beforeEach(async () => {
    for (const instant of Object.values(instants)) {
      await storeStudent(server.database, { registrationDate: new Date(instant) })
    }
  })

  test.each([
    [
      'current-semester',
      { first: '2026-06-01', last: '2026-12-31' },
      4,
      { count: 2, previousTotal: 2, previousDates: { first: '2026-01-01', last: '2026-05-31' } },
    ],
    [
      'last-semester',
      { first: '2026-01-01', last: '2026-05-31' },
      2,
      { count: 1, previousTotal: 1, previousDates: { first: '2025-06-01', last: '2025-12-31' } },
    ],
    [
      'current-year',
      { first: '2026-01-01', last: '2026-12-31' },
      6,
      { count: 5, previousTotal: 1, previousDates: { first: '2025-01-01', last: '2025-12-31' } },
    ],
    [
      'last-7-days',
      { first: '2026-11-13', last: '2026-11-20' },
      2,
      { count: 1, previousTotal: 1, previousDates: { first: '2026-11-06', last: '2026-11-13' } },
    ],
    ['all-time', null, 7, null],
  ])('%s', async (period, periodDates, total, difference) => {
    expect(await read(`?period=${period}`)).toMatchObject({ period, periodDates, total, difference })
  })

  test('the last 7 days are shown by the days that they touch', async () => {
    expect((await read('?period=last-7-days')).registrations).toEqual({
      unit: 'day',
      buckets: [
        { start: '2026-11-13', count: 1 },
        { start: '2026-11-14', count: 1 },
        ...['15', '16', '17', '18', '19', '20'].map((day) => ({ start: `2026-11-${day}`, count: 0 })),
      ],
    })
  })

  test('a semester is shown by its months, the empty ones too', async () => {
    expect((await read('?period=current-semester')).registrations).toEqual({
      unit: 'month',
      buckets: [
        { start: '2026-06-01', count: 1 },
        { start: '2026-07-01', count: 0 },
        { start: '2026-08-01', count: 0 },
        { start: '2026-09-01', count: 0 },
        { start: '2026-10-01', count: 0 },
        { start: '2026-11-01', count: 3 },
        { start: '2026-12-01', count: 0 },
      ],
    })
  })

  test('all time is shown by months from the first registration to today', async () => {
    const { unit, buckets } = (await read()).registrations
    expect(unit).toBe('month')
    expect(buckets.map(({ start }) => start)).toEqual([
      '2025-12-01',
      ...Array.from({ length: 11 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}-01`),
    ])
  })

  test('all time is shown by years once it is more than 36 months', async () => {
    await storeStudent(server.database, { registrationDate: new Date('2023-11-29T00:00:00Z') })
    expect((await read()).registrations).toEqual({
      unit: 'year',
      buckets: [
        { start: '2023-01-01', count: 1 },
        { start: '2024-01-01', count: 0 },
        { start: '2025-01-01', count: 1 },
        { start: '2026-01-01', count: 6 },
      ],
    })
  })
})

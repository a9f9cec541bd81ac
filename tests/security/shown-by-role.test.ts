// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { grants, type Permission, type Role, roles } from '#shared/people/permissions.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { baseOf, operationsOf, readDescription } from '#tests/setup/api-description.ts'
import { createStaffClient, officeRoles } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const entry = z.object({ clientAddress: z.string(), userAgent: z.string() })

const reason = 'zq dengue fever'

let server: TestServer
let studentId: string
// The student is in the first one, not in the second.
let terms: { first: string; second: string }
let sectionId: string
let enrolmentId: string
const clients = new Map<Role, Awaited<ReturnType<typeof createStaffClient>>>()

beforeAll(async () => {
  server = await startTestServer()
  const { database } = server
  studentId = (await storeStudent(database, { nstpComponent: 'CWTS', academicYear: '2026-2027' })).id
  const first = (await storeTerm(database, { academicYear: '2026-2027', semester: 1 })).id
  const second = (await storeTerm(database, { academicYear: '2026-2027', semester: 2, state: 'planned' })).id
  terms = { first, second }
  sectionId = (await storeSection(database, { termId: first })).id
  const stored = await storeEnrolment(database, { termId: first, studentId, sectionId })
  enrolmentId = stored.id ?? ''
  for (const role of roles) clients.set(role, await createStaffClient(server, { role, components: [] }))
})
afterAll(() => server.close())

function clientOf(role: Role) {
  const client = clients.get(role)
  if (!client) throw new Error(`no account of the role ${role}`)
  return client
}

const may = (role: Role, permission: Permission) => grants[permission].some((granted) => granted === role)

const setEnrolment = (values: object) =>
  server.database.db.updateTable('enrolments').set(values).where('id', '=', enrolmentId).execute()

/** Of each reading of the API, by path. */
async function readAll(role: Role, termId: string): Promise<Map<string, string>> {
  const ofClass = 'component=CWTS&level=1'
  const queries: Record<string, string> = {
    '/terms/{id}/enrolments': 'status=all',
    '/terms/{id}/marks': `${ofClass}&section=${sectionId}`,
    '/terms/{id}/unplaced': ofClass,
  }
  const answers = new Map<string, string>()
  for (const { path, method, operation } of operationsOf(await readDescription(server.url))) {
    if (method !== 'get' || path === '/events') continue
    const of = path.startsWith('/terms/') ? termId : studentId
    const address = server.url + baseOf(operation) + path.replaceAll(/\{\w+\}/g, of)
    const answer = await fetch(`${address}?${queries[path] ?? ''}`, {
      headers: { cookie: clientOf(role).cookie },
    })
    const text = await answer.text()
    if (answer.status === 200) answers.set(path, text)
  }
  return answers
}

test.each(officeRoles)(
  'the reason of a drop is shown to the role %s if it may change enrollments',
  async (role) => {
    await setEnrolment({ status: 'dropped', reason })
    const answers = await readAll(role, terms.first)
    await setEnrolment({ status: 'enrolled', reason: '' })
    const shown = [...answers].flatMap(([path, text]) => (text.includes(reason) ? [path] : []))
    expect(answers.get('/terms/{id}/enrolments')).toContain('"dropped"')
    expect(shown.sort()).toEqual(
      may(role, 'enrolments') ? ['/students/{id}/program', '/terms/{id}/enrolments'] : [],
    )
  },
)

const notCompared = [
  // Differ at each reading, as workbooks do.
  ...['/audit', '/health', '/retention', '/session', '/session/devices', '/status'],
  // How many of a component wait for a level, of nobody in particular; a process counts them again after seconds.
  '/terms/{id}/summary',
]

test.each(officeRoles)('the role %s sees whether a level was failed only if it reads marks', async (role) => {
  const differing = new Set<string>()
  for (const termId of [terms.first, terms.second]) {
    await setEnrolment({ mark: '5.00', outcome: 'failed' })
    const failed = await readAll(role, termId)
    await setEnrolment({ mark: '1.25', outcome: 'passed' })
    const passed = await readAll(role, termId)
    await setEnrolment({ mark: '', outcome: 'none' })
    for (const [path, text] of failed) if (passed.get(path) !== text) differing.add(path)
  }
  const told = [...differing].filter((path) => !notCompared.includes(path) && !path.endsWith('.xlsx'))
  const shown = [
    '/students/{id}/program',
    '/terms/{id}/enrolments',
    '/terms/{id}/marks',
    '/terms/{id}/unplaced',
  ]
  expect(told.sort()).toEqual(may(role, 'marks.read') ? shown : [])
})

test.each(officeRoles)(
  'the role %s sees who repeats a level, and sorts by it, only if it reads marks',
  async (role) => {
    const client = clientOf(role)
    const readsMarks = may(role, 'marks.read')
    await setEnrolment({ entry: 'repeating' })
    const answers = await readAll(role, terms.first)
    await setEnrolment({ entry: 'new' })
    const shown = [...answers].flatMap(([path, text]) => (text.includes('"repeating"') ? [path] : []))
    expect(shown.sort()).toEqual(readsMarks ? ['/students/{id}/program', '/terms/{id}/enrolments'] : [])
    for (const sort of ['entry', '-entry']) {
      const answer = await client.call('GET', `/terms/${terms.first}/enrolments?sort=${sort}`)
      expect([sort, answer.status]).toEqual([sort, readsMarks ? 200 : 403])
    }
  },
)

test.each(officeRoles)(
  'the role %s sees where others worked only if it reads the whole trail',
  async (role) => {
    const client = clientOf(role)
    await clientOf('administrator').call('GET', `/students/${studentId}`)
    const { clientAddress: address } = await server.database.db
      .selectFrom('auditEvents')
      .select('clientAddress')
      .where('action', '=', 'student-viewed')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(address).not.toBe('')
    const path = `/audit?student=${studentId}`
    const history = await client.call('GET', path)
    if (!may(role, 'history')) return expect(history.status).toBe(403)
    const search = `${path}&search=${encodeURIComponent(address)}`
    const { items } = z.object({ items: z.array(entry) }).parse(await history.json())
    const { items: found } = await (await client.call('GET', search)).json()
    expect(items.length).toBeGreaterThan(0)
    const isShown = items.some(({ clientAddress, userAgent }) => clientAddress + userAgent !== '')
    expect([isShown, found.length > 0]).toEqual(may(role, 'audit') ? [true, true] : [false, false])
  },
)

// Written by hand, so that no change of the product's own table is one of this.
const everybodys = [
  ...['academicYears', 'courses', 'currentAcademicYear', 'enlistment', 'levelNames', 'logo', 'programs'],
  ...['recordRetentionYears', 'schoolName', 'systemName', 'twoFactorRequired', 'version'],
]
// Of whoever sees records, for the sheets.
const ofRecords = ['rotcOfficeAddress']
const others: Record<Exclude<Role, 'administrator'>, readonly string[]> = {
  coordinator: [
    ...ofRecords,
    'certificates',
    'marking',
    'office',
    'onlyWithCode',
    'semesters',
    'signatories',
  ],
  assistant: [...ofRecords, 'onlyWithCode'],
  registrar: [...ofRecords, 'marking'],
  'privacy officer': ofRecords,
  facilitator: [],
}

test.each(roles)('the role %s reads the settings that its screens need', async (role) => {
  const answer = await clientOf(role).call('GET', '/settings')
  const names = Object.keys(await answer.json()).sort()
  if (role === 'administrator')
    return expect(names).toEqual([...Object.keys(defaultSettings), 'version'].sort())
  expect(names).toEqual([...everybodys, ...others[role]].sort())
})

test('a coordinator of one component proposes years by the same settings as one of all', async () => {
  const own = await createStaffClient(server, { role: 'coordinator', components: ['CWTS'] })
  const [ofOne, ofAll] = await Promise.all(
    [own, clientOf('coordinator')].map(
      async (client) => await (await client.call('GET', '/settings')).json(),
    ),
  )
  expect(ofOne).toEqual(ofAll)
})

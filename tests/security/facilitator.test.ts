import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { baseOf, operationsOf, readDescription } from '#tests/setup/api-description.ts'
import { openEvents } from '#tests/setup/event-stream.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

// Written by hand, so that no change of the product's own table is one of this.
const seen: readonly StudentField[] = [
  ...(['lastName', 'firstName', 'middleName', 'extensionName', 'studentId', 'course'] as const),
]
const phones: readonly StudentField[] = [
  ...(['contactNumber', 'emergencyContactName', 'emergencyContactNumber'] as const),
]
// Their values are words of answers about nobody.
const common: readonly StudentField[] = ['yearLevel', 'academicYear', 'nstpComponent', 'sex']
const hidden = studentFieldNames.filter(
  (field) => !seen.includes(field) && !phones.includes(field) && !common.includes(field),
)

/** Students of the own section, of another, dropped from the own one, and of an own one in a closed term. */
const kinds = ['mine', 'other', 'left', 'past'] as const
type Kind = (typeof kinds)[number]

const birthDates: Record<Kind, string> = {
  mine: '2007-03-04',
  other: '2007-05-06',
  left: '2007-07-08',
  past: '2007-09-10',
}

const canaryOf = (field: StudentField, of: Kind): string => {
  if (field === 'dateOfBirth') return birthDates[of]
  if (field === 'bloodType') return 'AB-'
  if (field === 'extensionName') return `Zq${of[0]}`
  return `zq${of}${field.toLowerCase()}`.slice(0, field === 'zipCode' ? 10 : 60)
}

let server: TestServer
let client: Awaited<ReturnType<typeof createStaffClient>>
const ids = {
  ...{ mine: '', other: '', left: '', past: '' },
  ...{ alpha: '', bravo: '', term: '', day: '', dayOfOther: '', closed: '' },
}

async function store(
  of: Kind,
  sectionId: string,
  enrolment: Partial<Parameters<typeof storeEnrolment>[1]> = {},
): Promise<string> {
  const fields = studentFieldNames.filter((field) => !common.includes(field))
  const { id } = await storeStudent(server.database, {
    ...Object.fromEntries(fields.map((field) => [field, canaryOf(field, of)])),
    ...{ nstpComponent: 'CWTS', academicYear: '2026-2027' },
  })
  await storeEnrolment(server.database, { termId: ids.term, studentId: id, sectionId, ...enrolment })
  return id
}

beforeAll(async () => {
  server = await startTestServer()
  const { db } = server.database
  ids.term = (await storeTerm(server.database)).id ?? ''
  ids.alpha = (await storeSection(server.database, { termId: ids.term, name: 'Alpha' })).id ?? ''
  ids.bravo =
    (await storeSection(server.database, { termId: ids.term, name: 'Zqbravo', position: 1 })).id ?? ''
  const before = { semester: 2, academicYear: '2025-2026', state: 'closed' } as const
  const old = (await storeTerm(server.database, before)).id ?? ''
  ids.closed = (await storeSection(server.database, { termId: old, name: 'Zqclosed' })).id ?? ''
  ids.mine = await store('mine', ids.alpha)
  ids.other = await store('other', ids.bravo)
  ids.left = await store('left', ids.alpha, { status: 'dropped', statusOn: '2026-08-20' })
  ids.past = await store('past', ids.closed, { termId: old })
  ids.day = createId()
  ids.dayOfOther = createId()
  const day = { termId: ids.term, component: 'CWTS', heldOn: '2026-08-08', hours: 4 } as const
  await db
    .insertInto('trainingDays')
    .values([
      { ...day, id: ids.day },
      { ...day, id: ids.dayOfOther, sectionIds: [ids.bravo], title: 'Zqday' },
    ])
    .execute()
  client = await createStaffClient(server, { role: 'facilitator', components: [] })
  await db
    .insertInto('adminSections')
    .values([ids.alpha, ids.closed].map((sectionId) => ({ adminId: client.id, sectionId })))
    .execute()
})
afterAll(() => server.close())

const allow = (seesPhoneNumbers: boolean) =>
  server.database.db.updateTable('admins').set({ seesPhoneNumbers }).where('id', '=', client.id).execute()

/** Every operation of the API with each id, but those that would end the session. */
async function askAll() {
  const described = operationsOf(await readDescription(server.url))
  const asked = described.flatMap(({ path, method, operation }) => {
    if (path === '/events' || path.startsWith('/session')) return []
    const isOpen = ['public', 'signed-in', 'roll'].includes(operation['x-permission'] ?? '')
    // A refusal of the role comes before anything is read.
    const all = isOpen ? Object.values(ids) : [ids.other]
    const of = path.includes('{') ? all : ['']
    return of.map((id) => ({ path, method, id, operation }))
  })
  const answers: { route: string; permission: string; id: string; status: number; text: string }[] = []
  for (const { path, method, id, operation } of asked) {
    const answer = await ask(method, baseOf(operation), path, id)
    const route = `${method.toUpperCase()} ${path}`
    const { 'x-permission': permission = '' } = operation
    answers.push({ route, permission, id, status: answer.status, text: await answer.text() })
  }
  return answers
}

function ask(method: string, base: string, path: string, id: string): Promise<Response> {
  const hasBody = method !== 'get' && method !== 'delete'
  const calls = [
    { dayId: ids.dayOfOther, studentId: ids.mine },
    { dayId: ids.dayOfOther, studentId: ids.other },
    ...[ids.other, ids.left, ids.past].map((studentId) => ({ dayId: ids.day, studentId })),
  ].map((of) => ({ ...of, id: createId(), state: 'present', seen: null }))
  return fetch(`${server.url}${base}${path.replaceAll(/\{\w+\}/g, id)}`, {
    method: method.toUpperCase(),
    headers: {
      ...{ cookie: client.cookie, origin: server.url },
      ...{ 'content-type': 'application/json', 'if-match': '"1"' },
    },
    ...(hasBody && { body: JSON.stringify(path.startsWith('/roll') ? { account: client.id, calls } : {}) }),
  })
}

test.each([false, true])(
  'no answer has another section or a hidden field, and the office’s routes refuse; phone numbers: %s',
  async (may) => {
    await allow(may)
    const answers = await askAll()
    expect(answers.length).toBeGreaterThan(200)
    const open = answers.filter(
      ({ permission, status }) =>
        !['public', 'student', 'signed-in', 'roll'].includes(permission) && status !== 403,
    )
    expect(open.map(({ route, status }) => [route, status])).toEqual([])
    const secrets = [
      ...kinds
        .filter((kind) => kind !== 'mine')
        .flatMap((kind) => [...hidden, ...seen, ...phones].map((field) => canaryOf(field, kind))),
      ...['Zqbravo', 'Zqclosed', 'Zqday'],
      ...hidden.map((field) => canaryOf(field, 'mine')),
    ]
    const told = answers.flatMap(({ route, id, text }) => {
      const found = secrets.filter((value) => text.includes(value))
      return found.length > 0 ? [{ route, id, found }] : []
    })
    expect(told).toEqual([])
    const named = answers.filter(({ text }) => text.includes(canaryOf('lastName', 'mine')))
    expect(named.map(({ route, id }) => [route, id])).toEqual([['GET /roll/{id}', ids.alpha]])
    // Own students could be called on it.
    expect(named[0]?.text).toContain(ids.day)
    const withPhones = answers.filter(({ text }) =>
      phones.some((field) => text.includes(canaryOf(field, 'mine'))),
    )
    expect(withPhones.map(({ route, id }) => [route, id])).toEqual(
      may ? [['GET /roll/students/{id}', ids.mine]] : [],
    )
    expect(await server.database.db.selectFrom('attendanceCalls').selectAll().execute()).toEqual([])
  },
)

test('of what the office changes only attendance is told', async () => {
  const office = createAdminClient(server, await server.signIn())
  const stream = await openEvents(server.url, client.cookie)
  await stream.waitFor('event: hello')
  const section = { unit: '', name: 'New', capacity: 40, takes: 'all', courses: [], adviser: '', meets: '' }
  const body = { component: 'CWTS', level: 1, sections: [section] }
  expect((await office.call('POST', `/terms/${ids.term}/sections`, body)).status).toBe(201)
  expect((await office.call('POST', `/students/${ids.other}/archive`)).status).toBe(200)
  const call = { id: createId(), dayId: ids.dayOfOther, studentId: ids.other, state: 'present' }
  expect((await office.call('POST', `/terms/${ids.term}/attendance`, { calls: [call] })).status).toBe(200)
  await stream.waitFor('data: attendance')
  const told = stream.received().match(/(?<=event: change\ndata: ).+/g) ?? []
  // Of the office's sign-in.
  expect(told.filter((topic) => topic !== 'session')).toEqual(['attendance'])
  await stream.close()
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeMessages, passwordMessages } from '#shared/auth/account.ts'
import { signInMessages } from '#shared/auth/session.ts'
import { type NewPerson, type Person, personMessages } from '#shared/people/person.ts'
import { problemSentences } from '#shared/problem.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail, endFirstPassword } from '#tests/setup/administrator.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

const clock = { now: new Date() }
const today = new Date('2026-08-03T08:00:00+08:00')
const dayMs = 24 * 60 * 60 * 1000

let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.now = today
  const { db } = server.database
  await db.deleteFrom('signInFailures').execute()
  await db.deleteFrom('apiTokens').execute()
  await db.deleteFrom('admins').where('email', '!=', adminEmail).execute()
  await db.updateTable('settings').set({ changed: {} }).execute()
  await createAuditTrail(server.database).clear()
  admin = createAdminClient(server, await server.signIn())
})

const encoder = {
  displayName: 'Ana Reyes',
  email: 'ana@school.example',
  role: 'assistant',
  components: ['CWTS'],
  expiresOn: '2026-08-31',
  sectionIds: [],
  seesPhoneNumbers: false,
} as const satisfies Omit<NewPerson, 'sectionIds'> & { sectionIds: [] }

const read = async (): Promise<Person[]> => (await (await admin.call('GET', '/people')).json()).items

async function add(person: Partial<NewPerson> = {}): Promise<{ person: Person; password: string }> {
  const answer = await admin.call('POST', '/people', { ...encoder, ...person })
  expect(answer.status).toBe(201)
  return await answer.json()
}

async function edit({ id, version, ...person }: Person, change: object, by = admin) {
  const { displayName, role, components, expiresOn, sectionIds, seesPhoneNumbers, disabledAt } = person
  const scope = { role, components, expiresOn, sectionIds, seesPhoneNumbers }
  const body = { displayName, ...scope, isDisabled: disabledAt !== null, ...change }
  return by.call('PATCH', `/people/${id}`, body, { 'If-Match': `"${version}"` })
}

async function refusalOf(answer: Response) {
  const { detail, errors } = await answer.json()
  return { status: answer.status, detail, ...(errors && { errors }) }
}

const own = async () => {
  const person = (await read()).find(({ email }) => email === adminEmail)
  if (!person) throw new Error('the administrator is not in the list')
  return person
}

const refusedSignIn = (password: string, email: string = encoder.email) =>
  createAdminClient(server, '').refusal('POST', '/session', { email, password })

const statusOf = async (cookie: string) =>
  (await createAdminClient(server, cookie).call('GET', '/settings')).status

describe('a new person', () => {
  test('is listed, and signs in with a password that must be changed', async () => {
    const { person, password } = await add()
    expect(person).toEqual({
      ...encoder,
      id: person.id,
      disabledAt: null,
      lastSignInAt: null,
      hasSecondFactor: false,
      secondFactorDue: null,
      mustChangePassword: true,
      version: 1,
    })
    const cookie = await signInOverHttp(server.url, password, encoder.email)
    const { user } = await (await createAdminClient(server, cookie).call('GET', '/session')).json()
    expect(user).toMatchObject({ role: 'assistant', components: ['CWTS'], mustSetUp: 'password' })
    expect(await statusOf(cookie)).toBe(403)
    expect(await read()).toEqual([
      expect.objectContaining({ email: adminEmail, role: 'administrator' }),
      { ...person, lastSignInAt: today.toISOString() },
    ])
    const [entry] = await createAuditTrail(server.database).of('person-added')
    expect(entry).toMatchObject({ actor: adminEmail, subject: encoder.email, detail: { role: 'assistant' } })
  })

  test('who doesn’t sign in within a week needs another password', async () => {
    const { password } = await add()
    clock.now = new Date(today.getTime() + 7 * dayMs)
    expect(await refusedSignIn(password)).toMatchObject({ status: 401, detail: passwordMessages.firstEnded })
  })

  test.each([
    ['no address', { email: 'ana' }, 'email', personMessages.email],
    ['a taken address', { email: adminEmail.toUpperCase() }, 'email', personMessages.emailTaken],
    ['no name', { displayName: ' ' }, 'displayName', 'Please fill in the name.'],
    ['an unknown role', { role: 'owner' }, 'role', personMessages.role],
    ['an unknown component', { components: ['MTS'] }, 'components.0', personMessages.component],
    ['an assistant for ever', { expiresOn: null }, 'expiresOn', personMessages.dateRequired],
    ['a last day of the past', { expiresOn: '2026-08-02' }, 'expiresOn', personMessages.datePast],
    ['no day', { expiresOn: '2026-02-30' }, 'expiresOn', personMessages.date],
    ['a day of a later century', { expiresOn: '2226-02-28' }, 'expiresOn', personMessages.date],
    [
      'an administrator with a last day',
      { role: 'administrator', components: [] },
      'expiresOn',
      personMessages.dateRefused,
    ],
    ['a registrar of a component', { role: 'registrar' }, 'components', personMessages.noComponents],
  ])('%s is refused', async (_name, change, path, message) => {
    const refused = await admin.refusal('POST', '/people', { ...encoder, ...change })
    expect(refused).toMatchObject({ status: 422, errors: [{ path, message }] })
    expect(await read()).toHaveLength(1)
  })

  test('of two with one address at once one is added', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => admin.call('POST', '/people', encoder)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })
})

describe('an edit', () => {
  test('changes name, role, components and last day, and is in the trail', async () => {
    const { person } = await add()
    const change = { displayName: 'Ana Cruz', role: 'coordinator', components: ['LTS'], expiresOn: null }
    const answer = await edit(person, change)
    expect([answer.status, answer.headers.get('ETag')]).toEqual([200, '"2"'])
    expect(await answer.json()).toEqual({ ...person, ...change, version: 2 })
    const trail = createAuditTrail(server.database)
    const [entry] = await trail.of('person-changed')
    expect(entry).toMatchObject({ subject: encoder.email, fields: Object.keys(change) })
    expect(await trail.values()).toMatchObject([
      { before: { role: 'assistant', components: ['CWTS'] }, after: change },
    ])
  })

  test('without a change is none', async () => {
    const { person } = await add()
    expect(await (await edit(person, {})).json()).toEqual(person)
    expect(await createAuditTrail(server.database).of('person-changed')).toEqual([])
  })

  test('of an older version, of nobody and against the rules is refused', async () => {
    const { person } = await add()
    await edit(person, { displayName: 'Ana Cruz' })
    expect(await refusalOf(await edit(person, { displayName: 'Ana' }))).toMatchObject({
      status: 409,
      detail: problemSentences.conflict,
    })
    const unknown = { ...person, id: '0198f4b2-0000-7000-8000-000000000000' }
    expect(await refusalOf(await edit(unknown, { displayName: 'Ana' }))).toMatchObject({
      status: 404,
      detail: personMessages.missing,
    })
    const current = { ...person, version: 2 }
    expect(await refusalOf(await edit(current, { role: 'administrator' }))).toMatchObject({
      errors: [
        { path: 'components', message: personMessages.noComponents },
        { path: 'expiresOn', message: personMessages.dateRefused },
      ],
    })
    expect(await refusalOf(await edit(current, { expiresOn: '2026-08-02' }))).toMatchObject({
      errors: [{ path: 'expiresOn', message: personMessages.datePast }],
    })
    // The address stays.
    const renamed = await edit(current, { email: 'other@school.example' })
    expect(await refusalOf(renamed)).toMatchObject({ status: 422, detail: expect.stringContaining('email') })
  })

  test.each([
    ['role', { role: 'coordinator' }, { path: 'role', message: personMessages.ownRole }],
    [
      'components',
      { role: 'coordinator', components: ['ROTC'] },
      { path: 'components', message: personMessages.ownComponents },
    ],
    [
      'last day',
      { role: 'coordinator', expiresOn: '2036-12-18' },
      { path: 'expiresOn', message: personMessages.ownLastDay },
    ],
    ['end', { isDisabled: true }, { path: 'isDisabled', message: personMessages.ownEnd }],
  ])('of the own %s is refused', async (_name, change, error) => {
    await add({ role: 'administrator', components: [], expiresOn: null })
    await endFirstPassword(server.database.db)
    const refusal = await refusalOf(await edit(await own(), change))
    expect(refusal).toMatchObject({ status: 422, errors: expect.arrayContaining([error]) })
  })

  test('of the own name is not', async () => {
    expect((await edit(await own(), { displayName: 'Maria Santos' })).status).toBe(200)
    const { user } = await (await admin.call('GET', '/session')).json()
    expect(user.displayName).toBe('Maria Santos')
    await edit(await own(), { displayName: 'Administrator' })
  })

  test('of the role holds at the next request', async () => {
    const registrar = await createStaffClient(server, { role: 'registrar', components: [] })
    expect((await registrar.call('GET', '/statistics')).status).toBe(200)
    const person = (await read()).find(({ id }) => id === registrar.id)
    if (!person) throw new Error('the registrar is not in the list')
    await edit(person, { role: 'privacy officer' })
    expect((await registrar.call('GET', '/statistics')).status).toBe(403)
    expect((await registrar.call('GET', '/privacy')).status).toBe(200)
  })
})

describe('an end', () => {
  test('ends sessions and known browsers; the right password is told so, another one isn’t', async () => {
    const { person, password } = await add()
    const cookie = await signInOverHttp(server.url, password, encoder.email)
    const answer = await edit(person, { isDisabled: true })
    expect(await answer.json()).toMatchObject({ disabledAt: today.toISOString(), version: 2 })
    expect(await statusOf(cookie)).toBe(401)
    expect(await refusedSignIn(password)).toMatchObject({ status: 401, detail: signInMessages.ended })
    expect(await refusedSignIn('a wrong pass phrase')).toMatchObject({ detail: signInMessages.wrong })
    const trail = createAuditTrail(server.database)
    expect(await trail.of('person-ended')).toMatchObject([{ subject: encoder.email, fields: ['isDisabled'] }])

    const again = await edit({ ...person, version: 2 }, { isDisabled: false })
    expect(await again.json()).toMatchObject({ disabledAt: null })
    expect(await statusOf(cookie)).toBe(401)
    expect(await signInOverHttp(server.url, password, encoder.email)).not.toBe('')
  })

  test('comes by itself after the last day, in the time zone of the office', async () => {
    const { password } = await add({ expiresOn: '2026-08-03' })
    await endFirstPassword(server.database.db)
    clock.now = new Date('2026-08-03T15:30:00Z')
    const cookie = await signInOverHttp(server.url, password, encoder.email)
    clock.now = new Date('2026-08-03T15:59:59Z')
    expect(await statusOf(cookie)).toBe(200)
    clock.now = new Date('2026-08-03T16:00:00Z')
    expect(await statusOf(cookie)).toBe(401)
    expect(await refusedSignIn(password)).toMatchObject({ detail: signInMessages.ended })
  })

  test('and another role end the API tokens of an administrator', async () => {
    const other = await createStaffClient(server, { role: 'administrator', components: [] })
    for (const name of ['Enrollment', 'Library']) await other.call('POST', '/tokens', { name })
    await admin.call('POST', '/tokens', { name: 'Clinic' })
    const person = (await read()).find(({ id }) => id === other.id)
    if (!person) throw new Error('the administrator is not in the list')
    expect((await edit(person, { role: 'coordinator' })).status).toBe(200)
    const { items } = await (await admin.call('GET', '/tokens')).json()
    expect(items).toMatchObject([{ name: 'Clinic' }])
  })

  test('of the role ends a token that was made meanwhile', async () => {
    const other = await createStaffClient(server, { role: 'administrator', components: [] })
    const { token } = await (await other.call('POST', '/tokens', { name: 'Enrollment' })).json()
    const send = () =>
      createAdminClient(server, '').refusal(
        'POST',
        '/send-email',
        { to: 'juan@school.edu.ph', subject: 'Parade', message: 'At seven.' },
        { Authorization: `Bearer ${token}` },
      )
    // Past the guard: the tests' server has no mail account.
    expect(await send()).toMatchObject({ status: 503 })
    await server.database.db
      .updateTable('admins')
      .set({ role: 'coordinator' })
      .where('id', '=', other.id)
      .execute()
    expect(await send()).toMatchObject({ status: 401 })
  })
})

describe('for another person an administrator', () => {
  test('makes a new password, which ends the API tokens', async () => {
    const other = await createStaffClient(server, { role: 'administrator', components: [] })
    await other.call('POST', '/tokens', { name: 'Enrollment' })
    expect((await admin.call('POST', `/people/${other.id}/password`)).status).toBe(200)
    expect(await (await admin.call('GET', '/tokens')).json()).toEqual({ items: [] })
    expect(await createAuditTrail(server.database).of('api-token-revoked')).toMatchObject([
      { subject: 'Enrollment' },
    ])
  })

  test('makes a new password, which ends the sessions', async () => {
    const { person, password } = await add()
    const cookie = await signInOverHttp(server.url, password, encoder.email)
    for (let guess = 0; guess < 5; guess++) await refusedSignIn('a wrong pass phrase')
    const answer = await admin.call('POST', `/people/${person.id}/password`)
    expect(answer.status).toBe(200)
    const { password: renewed } = await answer.json()
    expect(await statusOf(cookie)).toBe(401)
    const [entry] = await createAuditTrail(server.database).of('password-changed')
    expect(entry).toMatchObject({ actor: adminEmail, subject: encoder.email })
    await signInOverHttp(server.url, renewed, encoder.email)
    expect(await refusedSignIn(password)).toMatchObject({ status: 401, detail: signInMessages.wrong })
  })

  test('signs them out everywhere', async () => {
    const { person, password } = await add()
    await endFirstPassword(server.database.db)
    const cookies = [
      await signInOverHttp(server.url, password, encoder.email),
      await signInOverHttp(server.url, password, encoder.email),
    ]
    expect((await admin.call('POST', `/people/${person.id}/sign-out`)).status).toBe(204)
    expect(await Promise.all(cookies.map(statusOf))).toEqual([401, 401])
    const known = await fetch(`${server.url}/api/session`, { headers: { cookie: cookies[0] ?? '' } })
    expect(await known.json()).toEqual({ user: null, adminEmail: '' })
    const entries = await createAuditTrail(server.database).of('device-signed-out')
    expect(entries).toMatchObject([{ subject: encoder.email, affected: 2 }])
    expect((await admin.call('POST', `/people/${person.id}/sign-out`)).status).toBe(204)
  })

  test('resets two-factor sign-in, which ends the sessions', async () => {
    await requireTwoFactor('everyone')
    const { person, password } = await add()
    await endFirstPassword(server.database.db)
    const cookie = await signInOverHttp(server.url, password, encoder.email)
    const reset = `/people/${person.id}/second-factor-reset`
    expect(await admin.refusal('POST', reset)).toMatchObject({ status: 409, detail: codeMessages.alreadyOff })
    const factor = { adminId: person.id, secret: Buffer.of(1), confirmedAt: today }
    await server.database.db.insertInto('secondFactors').values(factor).execute()
    clock.now = new Date(today.getTime() + 5 * 60_000)
    expect((await admin.call('POST', reset)).status).toBe(204)
    expect(await statusOf(cookie)).toBe(401)
    const secondFactorDue = new Date(clock.now.getTime() + 7 * dayMs).toISOString()
    expect((await read())[1]).toMatchObject({ hasSecondFactor: false, secondFactorDue })
    const entries = await createAuditTrail(server.database).of('second-factor-reset')
    expect(entries).toMatchObject([{ actor: adminEmail, subject: encoder.email }])
  })

  test.each(['password', 'sign-out', 'second-factor-reset'])('but not their own: %s', async (what) => {
    const { id } = await own()
    expect(await admin.refusal('POST', `/people/${id}/${what}`)).toMatchObject({
      status: 409,
      detail: personMessages.own,
    })
    expect(await admin.refusal('POST', `/people/not-an-id/${what}`)).toMatchObject({
      status: 404,
      detail: personMessages.missing,
    })
  })
})

async function requireTwoFactor(of: string) {
  const version = (await admin.call('GET', '/settings')).headers.get('ETag') ?? ''
  const answer = await admin.call('PATCH', '/settings', { twoFactorRequired: of }, { 'If-Match': version })
  expect(answer.status).toBe(200)
}

test('two-factor sign-in that is required of leaders concerns who is or becomes one, with a week each', async () => {
  const due = (days: number) => new Date(today.getTime() + days * dayMs).toISOString()
  const dues = async () =>
    Object.fromEntries((await read()).map(({ role, secondFactorDue }) => [role, secondFactorDue]))
  await add()
  await requireTwoFactor('leaders')
  expect(await dues()).toEqual({ administrator: due(7), assistant: null })
  clock.now = new Date(today.getTime() + dayMs)
  admin = createAdminClient(server, await server.signIn())
  await add({ email: 'b@school.example', role: 'registrar', components: [], expiresOn: null })
  await add({ email: 'c@school.example', role: 'privacy officer', components: [], expiresOn: null })
  expect(await dues()).toEqual({
    administrator: due(7),
    assistant: null,
    registrar: null,
    'privacy officer': due(8),
  })
  const encoderNow = (await read()).find(({ email }) => email === encoder.email)
  if (!encoderNow) throw new Error('the assistant is not in the list')
  clock.now = new Date(today.getTime() + 2 * dayMs)
  admin = createAdminClient(server, await server.signIn())
  const promoted: Person = await (await edit(encoderNow, { role: 'coordinator' })).json()
  expect(promoted.secondFactorDue).toBe(due(9))
  expect(await (await edit(promoted, { role: 'assistant' })).json()).toMatchObject({ secondFactorDue: null })
  await requireTwoFactor('everyone')
  expect(await dues()).toMatchObject({ administrator: due(7), registrar: due(9), assistant: due(9) })
  await requireTwoFactor('nobody')
  expect(new Set(Object.values(await dues()))).toEqual(new Set([null]))
})

describe('a facilitator', () => {
  const facilitator: Partial<NewPerson> = { role: 'facilitator', components: [], expiresOn: '2026-12-19' }
  const beyond = personMessages.dateBeyond('2026-12-19')
  let sections: string[]

  beforeEach(async () => {
    const { database } = server
    for (const table of ['adminSections', 'sections', 'terms'] as const)
      await database.db.deleteFrom(table).execute()
    const { id: termId } = await storeTerm(database)
    const { id: closed } = await storeTerm(database, {
      ...{ academicYear: '2025-2026', state: 'closed', startsOn: '2025-08-03', endsOn: '2025-12-19' },
    })
    sections = []
    for (const own of [
      { termId, name: 'Alpha' },
      { termId, name: 'Bravo', position: 1 },
      { termId: closed, name: 'Old' },
    ])
      sections.push((await storeSection(database, own)).id ?? '')
  })

  const lastValues = () =>
    server.database.db
      .selectFrom('auditValues')
      .select(['before', 'after'])
      .orderBy('eventId', 'desc')
      .executeTakeFirstOrThrow()

  test('has sections of the open term, which the list names', async () => {
    const [alpha = '', bravo = ''] = sections
    const { person } = await add({
      ...facilitator,
      sectionIds: [alpha, alpha],
      seesPhoneNumbers: true,
    })
    expect(person).toMatchObject({ sectionIds: [alpha], seesPhoneNumbers: true })
    expect(await lastValues()).toEqual({
      before: {},
      after: { sectionIds: ['CWTS 1: Alpha'], seesPhoneNumbers: true },
    })
    const list = await (await admin.call('GET', '/people')).json()
    expect(list).toMatchObject({
      termEndsOn: '2026-12-19',
      sections: [
        { id: alpha, component: 'CWTS', level: 1, label: 'Alpha' },
        { id: bravo, component: 'CWTS', level: 1, label: 'Bravo' },
      ],
    })
    const edited = await edit(person, { sectionIds: [bravo, bravo], seesPhoneNumbers: false })
    expect(await edited.json()).toMatchObject({ sectionIds: [bravo], seesPhoneNumbers: false, version: 2 })
    expect(await lastValues()).toEqual({
      before: { sectionIds: ['CWTS 1: Alpha'], seesPhoneNumbers: true },
      after: { sectionIds: ['CWTS 1: Bravo'], seesPhoneNumbers: false },
    })
    await server.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    expect((await read()).find(({ id }) => id === person.id)?.sectionIds).toEqual([])
  })

  test.each([
    ['without a last day', 0, { expiresOn: null }, 'expiresOn', personMessages.dateRequired],
    ['beyond the term', 0, { expiresOn: '2026-12-20' }, 'expiresOn', beyond],
    [
      'beyond the term, without sections',
      0,
      { expiresOn: '2026-12-20', sectionIds: [] },
      'expiresOn',
      beyond,
    ],
    ['of a closed term', 2, {}, 'sectionIds', personMessages.sectionGone],
    ['of components', 0, { components: ['CWTS'] }, 'components', personMessages.noComponents],
    ['of another role', 0, { role: 'assistant' }, 'sectionIds', personMessages.noSections],
  ])('%s is refused', async (_, section, change, path, message) => {
    const sectionIds = [sections[section]]
    const answer = await admin.call('POST', '/people', { ...encoder, ...facilitator, sectionIds, ...change })
    expect(await refusalOf(answer)).toMatchObject({ status: 422, errors: [{ path, message }] })
  })

  test('has no last day beyond the term after an edit either, and none without an open term', async () => {
    const refused = (message: string) => ({ status: 422, errors: [{ path: 'expiresOn', message }] })
    const { person } = await add(facilitator)
    const later = { expiresOn: '2026-12-20' }
    expect(await refusalOf(await edit(person, later))).toMatchObject(refused(beyond))
    const { person: assistant } = await add({ ...encoder, ...later, email: 'assistant@school.example' })
    const change = { role: 'facilitator', components: [] }
    expect(await refusalOf(await edit(assistant, change))).toMatchObject(refused(beyond))
    await server.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    const none = refused(personMessages.noTerm)
    expect(await refusalOf(await edit(person, { expiresOn: '2026-12-18' }))).toMatchObject(none)
    const another = { ...encoder, ...facilitator, email: 'another@school.example' }
    expect(await refusalOf(await admin.call('POST', '/people', another))).toMatchObject(none)
    // Nothing of the term is changed.
    expect((await edit(person, { displayName: 'Another name', isDisabled: true })).status).toBe(200)
  })

  test('who becomes another role loses the sections, also of closed terms, and the phone numbers', async () => {
    const [alpha = ''] = sections
    const { person } = await add({ ...facilitator, sectionIds: [alpha], seesPhoneNumbers: true })
    await server.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    const change = { role: 'assistant', sectionIds: [], seesPhoneNumbers: false }
    expect((await edit(person, change)).status).toBe(200)
    expect(await server.database.db.selectFrom('adminSections').selectAll().execute()).toEqual([])
  })

  test('keeps the sections that an edit doesn’t send', async () => {
    const [alpha = ''] = sections
    const { person } = await add({ ...facilitator, sectionIds: [alpha] })
    const without = await edit(person, { displayName: 'Another name', sectionIds: undefined })
    expect(await refusalOf(without)).toMatchObject({ status: 422, errors: [{ path: 'sectionIds' }] })
    expect((await read()).find(({ id }) => id === person.id)?.sectionIds).toEqual([alpha])
  })

  test('is refused a section that is deleted meanwhile', async () => {
    const [alpha = ''] = sections
    const { person } = await add(facilitator)
    const { db } = server.database
    const edited = await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('sections').where('id', '=', alpha).execute()
      const waiting = edit(person, { sectionIds: [alpha] })
      await untilWaiting(server.database)
      return { waiting }
    })
    const error = { path: 'sectionIds', message: personMessages.sectionGone }
    expect(await refusalOf(await edited.waiting)).toMatchObject({ status: 422, errors: [error] })
  })

  test('can’t sign in after the last day', async () => {
    const { person, password } = await add({ ...facilitator, sectionIds: [] })
    clock.now = new Date('2026-12-20T08:00:00+08:00')
    expect(person.expiresOn).toBe('2026-12-19')
    await server.database.db.updateTable('admins').set({ passwordChangedAt: clock.now }).execute()
    expect(await refusedSignIn(password)).toMatchObject({ status: 401, detail: signInMessages.ended })
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import type { NewSections, NewTerm, SectionEdit, TermEdit } from '#shared/terms/terms.ts'
import { sectionMessages, termMessages } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { openEvents } from '#tests/setup/event-stream.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer()

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
})

const first = {
  academicYear: '2026-2027',
  semester: 1,
  startsOn: '2026-08-01',
  endsOn: '2026-12-19',
  state: 'open',
} as const satisfies Omit<NewTerm, 'copyFrom'>
const second = {
  ...first,
  semester: 2,
  startsOn: '2027-01-11',
  endsOn: '2027-05-29',
  state: 'planned',
} as const satisfies Omit<NewTerm, 'copyFrom'>

const platoon = {
  unit: 'Alpha',
  name: 'Platoon 1',
  capacity: 37,
  takes: 'Male',
  courses: ['SOICT'],
  adviser: 'Lt. Reyes',
  meets: 'Saturday 7:00, parade ground',
} as const satisfies SectionEdit

const plain = (name: string): SectionEdit => ({
  unit: '',
  name,
  capacity: 60,
  takes: 'all',
  courses: [],
  adviser: '',
  meets: '',
})

async function addTerm(term: Omit<NewTerm, 'copyFrom'> & { copyFrom?: string } = first): Promise<Term> {
  const answer = await own.admin.call('POST', '/terms', term)
  expect(answer.status).toBe(201)
  return await answer.json()
}

const editTerm = ({ id, version, startsOn, endsOn, state }: Term, change: Partial<TermEdit>) =>
  own.admin.call(
    'PATCH',
    `/terms/${id}`,
    { startsOn, endsOn, state, ...change },
    { 'If-Match': `"${version}"` },
  )

const listTerms = async (): Promise<Term[]> => (await (await own.admin.call('GET', '/terms')).json()).items

async function addSections({ id }: Term, ...sections: SectionEdit[]): Promise<Section[]> {
  const body: NewSections = { component: 'CWTS', level: 1, sections }
  const answer = await own.admin.call('POST', `/terms/${id}/sections`, body)
  expect(answer.status).toBe(201)
  return (await answer.json()).items
}

const listSections = async ({ id }: Term): Promise<Section[]> =>
  (await (await own.admin.call('GET', `/terms/${id}/sections`)).json()).items

function editSection({ id, version, ...section }: Section, change: Partial<SectionEdit>) {
  const { component: _component, level: _level, students: _students, official: _official, ...edit } = section
  return own.admin.call('PATCH', `/sections/${id}`, { ...edit, ...change }, { 'If-Match': `"${version}"` })
}

async function problemOf(answer: Response) {
  const { detail, errors } = await answer.json()
  return { status: answer.status, ...(errors ? { errors } : { detail }) }
}

const refused = (path: string, message: string) => ({ status: 422, errors: [{ path, message }] })

function firstOf<Item>([item]: readonly Item[]): Item {
  if (item === undefined) throw new Error('the list is empty')
  return item
}

describe('a term', () => {
  test('is opened, and another is planned; the latest comes first', async () => {
    const open = await addTerm()
    expect(open).toEqual({ id: open.id, ...first, version: 1 })
    const planned = await addTerm(second)
    expect(await listTerms()).toEqual([planned, open])
    expect(await own.trail.of('term-changed')).toMatchObject([
      { subject: 'First semester 2026-2027', detail: { step: 'added', sections: 0 } },
      { subject: 'Second semester 2026-2027' },
    ])
  })

  test('is there once, and one is open at a time', async () => {
    await addTerm()
    const again = await own.admin.call('POST', '/terms', { ...first, state: 'planned' })
    expect(await problemOf(again)).toEqual(
      refused('semester', termMessages.taken('First semester 2026-2027')),
    )
    const sentence = termMessages.stillOpen('First semester 2026-2027')
    const other = await own.admin.call('POST', '/terms', { ...second, state: 'open' })
    expect(await problemOf(other)).toEqual(refused('state', sentence))
    const planned = await addTerm(second)
    expect(await problemOf(await editTerm(planned, { state: 'open' }))).toEqual(refused('state', sentence))
  })

  test('of several opened at once is one', async () => {
    const terms = ([1, 2, 3] as const).map((semester) => ({ ...first, semester }))
    const answers = await Promise.all(terms.map((term) => own.admin.call('POST', '/terms', term)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    const planned = [
      await addTerm({ ...second, academicYear: '2027-2028' }),
      await addTerm({ ...second, academicYear: '2028-2029' }),
    ]
    const [open] = (await listTerms()).filter(({ state }) => state === 'open')
    if (!open) throw new Error('no term is open')
    await editTerm(open, { state: 'closed' })
    const opened = await Promise.all(planned.map((term) => editTerm(term, { state: 'open' })))
    expect(opened.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test.each([
    ['no year', { academicYear: '2026' }, 'academicYear', termMessages.academicYear],
    ['a fourth semester', { semester: 4 }, 'semester', termMessages.semester],
    ['no first day', { startsOn: '' }, 'startsOn', termMessages.startsOn],
    ['a day of another age', { startsOn: '0000-01-01' }, 'startsOn', termMessages.startsOn],
    ['an end before its beginning', { endsOn: '2026-08-01' }, 'endsOn', termMessages.endsBefore],
    ['closed at once', { state: 'closed' }, 'state', termMessages.state],
    ['copied of nothing', { copyFrom: 'all' }, 'copyFrom', termMessages.copyFrom],
    [
      'copied of an unknown one',
      { copyFrom: '0198f4b2-0000-7000-8000-000000000000' },
      'copyFrom',
      termMessages.copyFrom,
    ],
  ])('with %s is refused', async (_what, change, path, message) => {
    const answer = await own.admin.call('POST', '/terms', { ...first, ...change })
    expect(await problemOf(answer)).toEqual(refused(path, message))
    expect(await listTerms()).toEqual([])
  })

  test('is closed and opened again; never planned again', async () => {
    const term = await addTerm()
    const later = await editTerm(term, { endsOn: '2027-01-09' })
    expect([later.headers.get('ETag'), await later.json()]).toEqual([
      '"2"',
      { ...term, endsOn: '2027-01-09', version: 2 },
    ])
    expect(await problemOf(await editTerm(term, { state: 'closed' }))).toMatchObject({ status: 409 })
    const [current = term] = await listTerms()
    expect(await problemOf(await editTerm(current, { state: 'planned' }))).toEqual(
      refused('state', termMessages.notPlanned),
    )
    const closed: Term = await (await editTerm(current, { state: 'closed' })).json()
    expect(closed.state).toBe('closed')
    expect((await (await editTerm(closed, { state: 'open' })).json()).state).toBe('open')
    expect(await own.trail.of('term-changed')).toMatchObject([
      {},
      { fields: ['endsOn'] },
      { fields: ['state'] },
      { fields: ['state'] },
    ])
    const planned = await addTerm(second)
    expect(await problemOf(await editTerm(planned, { state: 'closed' }))).toEqual(
      refused('state', termMessages.notOpen),
    )
  })

  test('gets the sections of another one, without their students', async () => {
    const term = await addTerm()
    const sections = await addSections(term, platoon, plain('B'))
    const student = await storeStudent(own.database)
    await storeEnrolment(own.database, {
      termId: term.id,
      studentId: student.id,
      sectionId: firstOf(sections).id,
    })
    const copy = await addTerm({ ...second, copyFrom: term.id })
    expect(await listSections(copy)).toEqual(
      sections.map((section) => ({ ...section, id: expect.not.stringContaining(section.id) })),
    )
  })

  test('that ends earlier while it is open ends its facilitators with it, and nobody else', async () => {
    const term = await addTerm()
    const { db } = own.database
    const people = [
      await createStaffClient(own.server, { role: 'facilitator', components: [] }),
      await createStaffClient(own.server, { role: 'facilitator', components: [] }),
      await createStaffClient(own.server, { role: 'assistant', components: [] }),
    ]
    const lastDays = ['2026-12-19', '2026-11-30', '2026-12-19']
    for (const [index, { id }] of people.entries())
      await db.updateTable('admins').set({ expiresOn: lastDays[index] }).where('id', '=', id).execute()
    const find = (id: string) =>
      db.selectFrom('admins').select(['expiresOn', 'version']).where('id', '=', id).executeTakeFirstOrThrow()
    const desk = await openEvents(own.server.url, await own.server.signIn())
    await desk.waitFor('event: hello')
    const earlier: Term = await (await editTerm(term, { endsOn: '2026-12-05' })).json()
    await desk.waitFor('data: people')
    await desk.close()
    expect(await Promise.all(people.map(({ id }) => find(id)))).toEqual([
      { expiresOn: '2026-12-05', version: 2 },
      { expiresOn: '2026-11-30', version: 1 },
      { expiresOn: '2026-12-19', version: 1 },
    ])
    expect((await own.trail.of('term-changed')).at(-1)?.detail).toEqual({ facilitators: 1 })
    await editTerm(earlier, { endsOn: '2026-12-12' })
    expect((await find(people[0]?.id ?? '')).expiresOn).toBe('2026-12-05')
    expect((await own.trail.of('term-changed')).at(-1)?.detail).toEqual({})
  })

  test('is deleted with its sections while nobody is in it', async () => {
    const term = await addTerm()
    const sections = await addSections(term, platoon)
    const student = await storeStudent(own.database)
    const enrolment = { termId: term.id, studentId: student.id, sectionId: firstOf(sections).id }
    await storeEnrolment(own.database, enrolment)
    expect(await own.admin.refusal('DELETE', `/terms/${term.id}`)).toMatchObject({
      status: 409,
      detail: 'First semester 2026-2027 has 1 student. Only a term without students can be deleted.',
    })
    await own.database.db.deleteFrom('students').execute()
    expect((await own.admin.call('DELETE', `/terms/${term.id}`)).status).toBe(204)
    expect(await listTerms()).toEqual([])
    expect(await own.admin.refusal('GET', `/terms/${term.id}/sections`)).toMatchObject({
      status: 404,
      detail: termMessages.missing,
    })
    expect(await own.admin.refusal('DELETE', `/terms/${term.id}`)).toMatchObject({ status: 404 })
  })
})

describe('sections', () => {
  test('are added behind those of their component and level', async () => {
    const term = await addTerm()
    const [alpha] = await addSections(term, platoon)
    expect(alpha).toEqual({
      id: alpha?.id,
      component: 'CWTS',
      level: 1,
      ...platoon,
      students: 0,
      official: 0,
      version: 1,
    })
    const rotc: NewSections = { component: 'ROTC', level: 2, sections: [platoon] }
    expect((await own.admin.call('POST', `/terms/${term.id}/sections`, rotc)).status).toBe(201)
    const all = await addSections(term, plain('B'), plain('A'))
    expect(all.map(({ component, level, name }) => `${component} ${level} ${name}`)).toEqual([
      'CWTS 1 Platoon 1',
      'CWTS 1 B',
      'CWTS 1 A',
      'ROTC 2 Platoon 1',
    ])
    expect(await own.trail.of('sections-changed')).toMatchObject([
      {
        subject: 'First semester 2026-2027',
        affected: 1,
        detail: { step: 'added', component: 'CWTS', level: 1 },
      },
      { detail: { component: 'ROTC', level: 2 } },
      { affected: 2 },
    ])
  })

  test.each([
    ['none', [], 'sections', sectionMessages.none],
    ['one without a name', [plain(' ')], 'sections.0.name', 'Please fill in the name of the section.'],
    ['one for nobody', [{ ...platoon, capacity: 0 }], 'sections.0.capacity', sectionMessages.capacity],
    [
      'one for half a person',
      [{ ...platoon, capacity: 1.5 }],
      'sections.0.capacity',
      sectionMessages.capacity,
    ],
    ['one for others', [{ ...platoon, takes: 'Other' }], 'sections.0.takes', sectionMessages.takes],
    ['the same twice', [plain('A'), plain('a')], 'sections.1.name', sectionMessages.taken('a')],
    [
      'one that is there',
      [{ ...platoon, unit: 'ALPHA' }],
      'sections.0.name',
      sectionMessages.taken('ALPHA, Platoon 1'),
    ],
    [
      'too many',
      Array.from({ length: 201 }, (_, n) => plain(`Section ${n}`)),
      'sections',
      sectionMessages.tooMany,
    ],
  ])('are refused: %s', async (_what, sections, path, message) => {
    const term = await addTerm()
    await addSections(term, platoon)
    const answer = await own.admin.call('POST', `/terms/${term.id}/sections`, {
      component: 'CWTS',
      level: 1,
      sections,
    })
    expect(await problemOf(answer)).toEqual(refused(path, message))
    expect(await listSections(term)).toHaveLength(1)
  })

  test('of the same name at once are added once', async () => {
    const term = await addTerm()
    const body: NewSections = { component: 'CWTS', level: 1, sections: [platoon] }
    const answers = await Promise.all(
      [1, 2, 3].map(() => own.admin.call('POST', `/terms/${term.id}/sections`, body)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })

  test('are changed, but not to fewer places than students', async () => {
    const term = await addTerm()
    const [alpha, other] = await addSections(term, platoon, plain('B'))
    if (!alpha || !other) throw new Error('two sections were added')
    for (let count = 0; count < 3; count++) {
      const { id } = await storeStudent(own.database)
      const officialAt = count === 0 ? new Date() : null
      await storeEnrolment(own.database, { termId: term.id, studentId: id, sectionId: alpha.id, officialAt })
    }
    expect(await listSections(term)).toMatchObject([
      { students: 3, official: 1 },
      { students: 0, official: 0 },
    ])
    const change = { name: 'Platoon 9', capacity: 3, courses: [] }
    const answer = await editSection(alpha, change)
    expect([answer.headers.get('ETag'), await answer.json()]).toEqual([
      '"2"',
      { ...alpha, ...change, students: 3, official: 1, version: 2 },
    ])
    const entries = await own.trail.of('sections-changed')
    expect(entries.at(-1)).toMatchObject({
      subject: 'First semester 2026-2027: Alpha, Platoon 1',
      fields: ['name', 'capacity', 'courses'],
    })
    const current = { ...alpha, ...change, version: 2 }
    expect(await problemOf(await editSection(current, { capacity: 2 }))).toEqual(
      refused('capacity', 'The section has 3 students.'),
    )
    expect(await problemOf(await editSection(current, { unit: '', name: 'b' }))).toEqual(
      refused('name', sectionMessages.taken('b')),
    )
    expect(await problemOf(await editSection(alpha, { name: 'Late' }))).toMatchObject({ status: 409 })
    expect((await (await editSection(current, {})).json()).version).toBe(2)
  })

  test('are deleted without students; who dropped stays in the term', async () => {
    const term = await addTerm()
    const { id } = firstOf(await addSections(term, platoon))
    const student = await storeStudent(own.database)
    const enrolment = await storeEnrolment(own.database, {
      termId: term.id,
      studentId: student.id,
      sectionId: id,
    })
    expect(await own.admin.refusal('DELETE', `/sections/${id}`)).toMatchObject({
      status: 409,
      detail: 'Please move the 1 student first.',
    })
    const { db } = own.database
    await db.updateTable('enrolments').set({ status: 'dropped' }).where('id', '=', enrolment.id).execute()
    expect((await own.admin.call('DELETE', `/sections/${id}`, undefined, { 'If-Match': '"1"' })).status).toBe(
      204,
    )
    expect((await own.trail.of('sections-changed')).at(-1)?.detail).toEqual({ step: 'deleted' })
    expect(await listSections(term)).toEqual([])
    expect(await db.selectFrom('enrolments').select('sectionId').execute()).toEqual([{ sectionId: null }])
    expect(await own.admin.refusal('DELETE', `/sections/${id}`)).toMatchObject({
      status: 404,
      detail: sectionMessages.missing,
    })
  })

  test.each([
    ['section', 'sections-changed'],
    ['term', 'term-changed'],
  ] as const)(
    'are taken from facilitators with their %s, who are told, as is the office',
    async (what, action) => {
      const term = await addTerm()
      const sectionIds = (await addSections(term, platoon, plain('B'))).map(({ id }) => id)
      const facilitator = await createStaffClient(own.server, { role: 'facilitator', components: [] })
      await own.database.db
        .insertInto('adminSections')
        .values(sectionIds.map((sectionId) => ({ adminId: facilitator.id, sectionId })))
        .execute()
      const [phone, desk] = [
        await openEvents(own.server.url, facilitator.cookie),
        await openEvents(own.server.url, await own.server.signIn()),
      ]
      for (const stream of [phone, desk]) await stream.waitFor('event: hello')
      const path = what === 'section' ? `/sections/${sectionIds[0]}` : `/terms/${term.id}`
      expect((await own.admin.call('DELETE', path, undefined, { 'If-Match': '"1"' })).status).toBe(204)
      await phone.waitFor('data: attendance')
      await desk.waitFor('data: people')
      for (const stream of [phone, desk]) await stream.close()
      expect((await own.trail.of(action)).at(-1)?.detail).toEqual({ step: 'deleted', facilitators: 1 })
    },
  )

  test('of a term that is closed are no roll any more, which facilitators are told', async () => {
    const term = await addTerm()
    const facilitator = await createStaffClient(own.server, { role: 'facilitator', components: [] })
    const phone = await openEvents(own.server.url, facilitator.cookie)
    await phone.waitFor('event: hello')
    await editTerm(term, { state: 'closed' })
    await phone.waitFor('data: attendance')
    await phone.close()
  })

  test('of a closed term stay as they are', async () => {
    const term = await addTerm()
    const alpha = firstOf(await addSections(term, platoon))
    await editTerm(term, { state: 'closed' })
    const sentence = termMessages.isClosed('First semester 2026-2027')
    const body: NewSections = { component: 'CWTS', level: 1, sections: [plain('C')] }
    expect(await own.admin.refusal('POST', `/terms/${term.id}/sections`, body)).toMatchObject({
      status: 409,
      detail: sentence,
    })
    expect(await problemOf(await editSection(alpha, { name: 'C' }))).toEqual({
      status: 409,
      detail: sentence,
    })
    expect(await own.admin.refusal('DELETE', `/sections/${alpha.id}`)).toMatchObject({
      status: 409,
      detail: sentence,
    })
    expect(await listSections(term)).toEqual([alpha])
  })
})

test('a coordinator of one component has its sections and figures alone', async () => {
  const coordinator = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
  const term = await addTerm()
  const cwts = firstOf(await addSections(term, platoon))
  const body: NewSections = { component: 'ROTC', level: 1, sections: [platoon] }
  const added = await own.admin.call('POST', `/terms/${term.id}/sections`, body)
  const rotc: Section | undefined = (await added.json()).items.find(
    ({ component }: Section) => component === 'ROTC',
  )
  const path = `/terms/${term.id}`
  expect((await (await coordinator.call('GET', `${path}/sections`)).json()).items).toEqual([cwts])
  const { items } = await (await coordinator.call('GET', `${path}/summary`)).json()
  expect(items.map(({ component }: Section) => component)).toEqual(['CWTS', 'CWTS'])
  expect(await coordinator.refusal('POST', `${path}/sections`, body)).toEqual({
    status: 403,
    code: 'permission_denied',
    detail: 'Your account can only change sections and enrollments of CWTS.',
  })
  const {
    component: _component,
    level: _level,
    students: _students,
    official: _official,
    id: _id,
    version: _version,
    ...edit
  } = cwts
  for (const [method, sent] of [
    ['PATCH', edit],
    ['DELETE', undefined],
  ] as const) {
    const asked = await coordinator.refusal(method, `/sections/${rotc?.id}`, sent, { 'If-Match': '"1"' })
    expect(asked).toMatchObject({ status: 404, detail: sectionMessages.missing })
  }
  expect(
    (await coordinator.call('POST', `${path}/sections`, { ...body, component: 'CWTS', level: 2 })).status,
  ).toBe(201)
})

describe('the figures of a term', () => {
  test('count sections, who is in them, and who waits', async () => {
    const term = await addTerm(second)
    const sections = await addSections(term, platoon, plain('B'))
    const before = await addTerm({ ...first, state: 'planned' })
    const store = async (overrides: Parameters<typeof storeStudent>[1] = {}) =>
      (await storeStudent(own.database, { nstpComponent: 'CWTS', academicYear: '2026-2027', ...overrides }))
        .id
    const enrol = (studentId: string, enrolment: object) =>
      storeEnrolment(own.database, { termId: term.id, studentId, ...enrolment })
    const passed = { termId: before.id, level: 1, outcome: 'passed' }

    // Of NSTP 1: one waits, one is in a section, one in none, one dropped.
    await store()
    await enrol(await store(), { sectionId: firstOf(sections).id })
    await enrol(await store(), {})
    await enrol(await store(), { status: 'dropped' })
    // Of NSTP 2: one waits; one has passed all.
    await enrol(await store(), passed)
    const graduate = await store()
    await enrol(graduate, passed)
    await enrol(graduate, { ...passed, level: 2 })
    // Nobody of these: of another year, archived, blocked, incomplete, without a mark yet.
    await store({ academicYear: '2025-2026' })
    await store({ archived: true, archivedDate: new Date() })
    await store({ restriction: 'blocked' })
    await enrol(await store(), { ...passed, outcome: 'incomplete' })
    await enrol(await store(), { ...passed, outcome: 'none' })
    // Failed: again.
    await enrol(await store(), { ...passed, outcome: 'failed' })
    await store({ nstpComponent: 'ROTC' })

    const { items } = await (await own.admin.call('GET', `/terms/${term.id}/summary`)).json()
    const none = {
      official: 0,
      marked: 0,
      sections: 0,
      capacity: 0,
      placed: 0,
      withoutSection: 0,
      waiting: 0,
    }
    expect(items).toEqual([
      { ...none, component: 'ROTC', level: 1, waiting: 1 },
      { ...none, component: 'ROTC', level: 2 },
      {
        ...none,
        component: 'CWTS',
        level: 1,
        sections: 2,
        capacity: 97,
        placed: 1,
        withoutSection: 1,
        waiting: 2,
      },
      { ...none, component: 'CWTS', level: 2, waiting: 1 },
      { ...none, component: 'LTS', level: 1 },
      { ...none, component: 'LTS', level: 2 },
    ])
  })
})

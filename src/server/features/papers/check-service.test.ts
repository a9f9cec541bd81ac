import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { paperMessages } from '#shared/papers/papers.ts'
import type { Finding, Paper, PaperCheck } from '#shared/papers/papers-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { makePaper, setOffice } from '#tests/setup/papers.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

const own = startStudentsServer()
const [first, second] = [createId(), createId()]
let stored = 0

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['papers', 'enrolments', 'terms'] as const) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: first, state: 'closed' })
  await storeTerm(own.database, { id: second, semester: 2, startsOn: '2027-01-11', endsOn: '2027-05-22' })
  await setOffice(own.admin)
  stored = 0
})

type Student = Parameters<typeof storeStudent>[1]

const lastNames = ['Abad', 'Bautista', 'Castillo', 'Dimaculangan', 'Evangelista', 'Fernandez', 'Gonzales']

/** A graduate in whom no rule finds anything. */
async function graduate(changes: Student = {}): Promise<string> {
  stored += 1
  const { id: studentId } = await storeStudent(own.database, {
    lastName: lastNames[stored] ?? '',
    firstName: 'Esperanza',
    middleName: 'Lumbera',
    extensionName: '',
    studentId: `2026-0000${stored}`,
    dateOfBirth: `2008-0${stored}-11`,
    sex: 'Female',
    municipalCity: 'Pulilan',
    province: 'Bulacan',
    contactNumber: `0917123450${stored}`,
    email: `student${stored}@gmail.com`,
    citizenship: 'Filipino',
    course: 'SOICT',
    program: 'BS Information Technology',
    nstpComponent: 'CWTS',
    serialNumber: '',
    ...changes,
  })
  const component = 'CWTS'
  await storeEnrolment(own.database, { termId: first, studentId, component, outcome: 'passed' })
  await storeEnrolment(own.database, { termId: second, studentId, component, level: 2, outcome: 'passed' })
  return studentId
}

async function check({ id }: Pick<Paper, 'id'>, by = own.admin): Promise<PaperCheck> {
  const answer = await by.call('POST', `/papers/${id}/check`)
  expect(answer.status).toBe(200)
  return await answer.json()
}

const said = (findings: readonly Finding[]) =>
  findings.flatMap(({ code, severity, people }) =>
    people.map(({ sentence, isMeant }) => [code, severity, sentence, isMeant]),
  )

async function read(id: string) {
  return await (await own.admin.call('GET', `/students/${id}`)).json()
}

const answer = (paper: Paper, change: object) => own.admin.call('PUT', `/papers/${paper.id}/answers`, change)

async function freeze(paper: Paper, basis: string) {
  return await own.admin.call(
    'POST',
    `/papers/${paper.id}/freeze`,
    { basis },
    { 'if-match': `"${paper.version}"` },
  )
}

test('a paper without a defect has no finding, and is ready', async () => {
  await graduate()
  await graduate()
  const found = await check(await makePaper(own.admin))
  expect(found).toMatchObject({ ready: 2, stops: 0, findings: [], leftOut: [] })
  expect(found.preview).toHaveLength(3)
  expect(await own.trail.of('students-listed')).toHaveLength(1)
})

describe('fixes', () => {
  test('change what a rule proposes, with an audit entry each, and are undone', async () => {
    const zero = await graduate({ middleName: '0', contactNumber: '9171234567' })
    const town = await graduate({ province: '' })
    await graduate({ middleName: 'N/A' })
    const paper = await makePaper(own.admin)
    const { findings } = await check(paper)
    expect(said(findings)).toEqual([
      ['K07', 'ask', '9171234567 is no mobile number.', false],
      ['K12', 'ask', '“0” as Middle Name?', false],
      ['K12', 'ask', '“N/A” as Middle Name?', false],
      ['K14', 'ask', 'Pulilan is in Bulacan.', false],
    ])
    const fix = (change: object) => own.admin.call('POST', `/papers/${paper.id}/fixes`, change)
    const [person] = findings.find(({ code }) => code === 'K14')?.people ?? []
    const people = [{ subject: person?.subject, version: person?.versions[0] }]
    const fixed = await (await fix({ code: 'K14', people })).json()
    expect(fixed).toMatchObject({ fixed: 1, skipped: 0 })
    expect(await read(town)).toMatchObject({ province: 'Bulacan', version: 2 })
    // The same again: the record isn't as it was seen, and has nothing to correct.
    expect(await (await fix({ code: 'K14', people })).json()).toMatchObject({ fixed: 0, skipped: 1 })
    expect(await (await fix({ code: 'K12', people: null })).json()).toMatchObject({ fixed: 2, skipped: 0 })
    expect(await read(zero)).toMatchObject({ middleName: '', contactNumber: '9171234567', version: 2 })
    expect(await own.trail.of('student-edited')).toHaveLength(3)
    const undone = await own.admin.call('POST', `/students/changes/${fixed.id}/undo`)
    expect(await undone.json()).toEqual({ count: 1, skipped: 0, moved: 0 })
    expect(await read(town)).toMatchObject({ province: '', version: 3 })
  })

  test('leave alone who was changed since', async () => {
    const id = await graduate({ lastName: 'Reyes Jr.' })
    const paper = await makePaper(own.admin)
    const [person] = (await check(paper)).findings.flatMap((finding) => finding.people)
    await own.admin.call('PATCH', `/students/${id}`, { firstName: 'Pedro' }, { 'if-match': '"1"' })
    const people = [{ subject: person?.subject, version: 1 }]
    const result = await own.admin.call('POST', `/papers/${paper.id}/fixes`, { code: 'K13', people })
    expect(await result.json()).toMatchObject({ fixed: 0, skipped: 1 })
    expect(await read(id)).toMatchObject({ lastName: 'Reyes Jr.', firstName: 'Pedro' })
    const now = await own.admin.call('POST', `/papers/${paper.id}/fixes`, { code: 'K13', people: null })
    expect(await now.json()).toMatchObject({ fixed: 1 })
    expect(await read(id)).toMatchObject({ lastName: 'Reyes', extensionName: 'Jr.' })
  })
})

test('fixes of everybody leave alone what is meant', async () => {
  const meant = await graduate({ middleName: '0' })
  const other = await graduate({ middleName: 'N/A' })
  const paper = await makePaper(own.admin)
  const subjects = [`${meant} middleName`]
  await answer(paper, { code: 'K12', subjects, answer: 'meant', reason: 'Her name' })
  const fixed = await own.admin.call('POST', `/papers/${paper.id}/fixes`, { code: 'K12', people: null })
  expect(await fixed.json()).toMatchObject({ fixed: 1, skipped: 0 })
  expect(await read(meant)).toMatchObject({ middleName: '0' })
  expect(await read(other)).toMatchObject({ middleName: '' })
})

describe('answers', () => {
  test('say that something is meant, and are taken back', async () => {
    await graduate({ citizenship: 'Korean' })
    const paper = await makePaper(own.admin)
    const [finding] = (await check(paper)).findings
    const subjects = finding?.people.map(({ subject }) => subject)
    const meant = { code: 'K16', subjects, answer: 'meant', reason: 'Has a permit' }
    expect((await answer(paper, meant)).status).toBe(204)
    expect((await check(paper)).findings).toMatchObject([
      { total: 1, open: 0, people: [{ isMeant: true, reason: 'Has a permit' }] },
    ])
    expect((await answer(paper, { ...meant, answer: null, reason: '' })).status).toBe(204)
    expect((await check(paper)).findings).toMatchObject([{ total: 1, open: 1 }])
  })

  test('leave somebody out, after which the paper can be frozen', async () => {
    await graduate()
    const blocked = await graduate({ restriction: 'withdrawn' })
    const paper = await makePaper(own.admin)
    const found = await check(paper)
    expect(found).toMatchObject({ ready: 2, stops: 1 })
    expect(await (await freeze(paper, found.basis)).json()).toMatchObject({ detail: paperMessages.stops(1) })
    const left = { code: 'K16', subjects: [blocked], answer: 'left out', reason: 'Withdrew consent' }
    expect((await answer(paper, left)).status).toBe(204)
    const after = await check(paper)
    expect(after).toMatchObject({
      ready: 1,
      stops: 0,
      findings: [],
      leftOut: [{ studentId: blocked, code: 'K16', reason: 'Withdrew consent' }],
    })
    expect(await (await freeze(paper, found.basis)).json()).toMatchObject({ detail: paperMessages.stale })
    expect((await freeze(paper, after.basis)).status).toBe(200)
    expect(await own.admin.refusal('POST', `/papers/${paper.id}/check`)).toMatchObject({ status: 409 })
  })

  test.each([
    [{ code: 'K99', subjects: ['x'], answer: 'meant', reason: 'So' }, 'Please name the rule.'],
    [{ code: 'K16', subjects: ['x'], answer: 'meant', reason: ' ' }, 'Please say why.'],
    [{ code: 'K16', subjects: [], answer: 'meant', reason: 'So' }, 'Please choose at least one person.'],
  ])('%j is refused', async (change, detail) => {
    const paper = await makePaper(own.admin)
    expect(await own.admin.refusal('PUT', `/papers/${paper.id}/answers`, change)).toMatchObject({
      status: 422,
      detail,
    })
  })
})

test('a later paper says who came and went, and who is in another one', async () => {
  const id = await graduate()
  const paper = await makePaper(own.admin)
  expect((await freeze(paper, (await check(paper)).basis)).status).toBe(200)
  await graduate()
  await own.admin.call('PATCH', `/students/${id}`, { address: '12 Rizal Street' }, { 'if-match': '"1"' })
  const found = await check(await makePaper(own.admin))
  expect(said(found.findings)).toEqual([
    ['K10', 'stop', `Already in ${paper.title}.`, false],
    ['K20', 'note', '1 came, 0 went, 1 changed.', false],
  ])
})

test('a corrected paper counts who went by the list: who was erased, and who is enrolled but no graduate any more', async () => {
  const [erased, failed, renamed] = [await graduate(), await graduate(), await graduate()]
  await graduate()
  const paper = await makePaper(own.admin)
  expect((await freeze(paper, (await check(paper)).basis)).status).toBe(200)
  const version = { 'If-Match': '"1"' }
  expect((await own.admin.call('DELETE', `/students/${erased}`, undefined, version)).status).toBe(204)
  const enrolments = own.database.db.updateTable('enrolments').where('studentId', '=', failed)
  await enrolments.set({ outcome: 'failed' }).where('level', '=', 2).execute()
  await own.admin.call('PATCH', `/students/${renamed}`, { address: '12 Rizal Street' }, version)
  await graduate()
  const { findings } = await check(await makePaper(own.admin))
  expect(said(findings.filter(({ code }) => code === 'K20'))).toEqual([
    ['K20', 'note', '1 came, 2 went, 1 changed.', false],
  ])
})

test('of two papers that are frozen at once, one lists a graduate', async () => {
  await graduate()
  const { db } = own.database
  const papers = [await makePaper(own.admin), await makePaper(own.admin)]
  const bases: string[] = []
  for (const paper of papers) bases.push((await check(paper)).basis)
  const freezing = await db.transaction().execute(async (tx) => {
    // Neither writes its rows before the other has read whom it would list.
    await sql`lock table paper_rows in share mode`.execute(tx)
    const both = papers.map((paper, index) => freeze(paper, bases[index] ?? ''))
    await untilWaiting(own.database, 2)
    return both
  })
  const answers = await Promise.all(freezing)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const { rows } = await sql`select from paper_rows where list = 'graduates'`.execute(db)
  expect(rows).toHaveLength(1)
})

test('a coordinator of another component finds no paper', async () => {
  const paper = await makePaper(own.admin)
  const rotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
  for (const path of ['check', 'fixes'])
    expect(
      await rotc.refusal(
        'POST',
        `/papers/${paper.id}/${path}`,
        path === 'check' ? undefined : { code: 'K14', people: null },
      ),
    ).toMatchObject({ status: 404, detail: paperMessages.missing })
})

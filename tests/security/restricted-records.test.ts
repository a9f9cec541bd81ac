// @module-tag rest
import readWorkbook from 'read-excel-file/node'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Restriction } from '#shared/privacy/privacy.ts'
import { enrolmentMessages } from '#shared/terms/enrolments.ts'
import { proposedScheme } from '#shared/terms/mark-scheme.ts'
import { defaultMarking } from '#shared/terms/marking.ts'
import { type SheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { operationsOf, readDescription, type Schema } from '#tests/setup/api-description.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { freezePaper, makePaper, setOffice } from '#tests/setup/papers.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer({ now: new Date('2027-05-20T02:00:00Z') })
let imports: ReturnType<typeof importsOf>
const year = '2026-2027'
const tables = [
  ...(['importRows', 'imports', 'certificates', 'certificateNumbers', 'papers', 'enrolmentChanges'] as const),
  ...(['enrolments', 'sections', 'terms', 'rejectedStudents', 'undoableChanges'] as const),
]

beforeAll(async () => {
  await setOffice(own.admin)
  imports = importsOf(own.server, await own.server.signIn())
})
beforeEach(async () => {
  for (const table of tables) await own.database.db.deleteFrom(table).execute()
})

interface Person {
  id: string
  lastName: string
}

async function store(lastName: string, studentId: string): Promise<Person> {
  const record = { lastName, firstName: 'Ana', middleName: '', extensionName: '', studentId }
  const { id } = await storeStudent(own.database, {
    ...record,
    ...{ nstpComponent: 'CWTS', academicYear: year, serialNumber: '', email: `${lastName}@school.edu.ph` },
  })
  return { id, lastName }
}

const restrict = async ({ id }: Person, restriction: Restriction) =>
  await own.database.db.updateTable('students').set({ restriction }).where('id', '=', id).execute()

/** The one whose record is blocked, or whose consent is withdrawn, and another one. */
interface Two {
  restricted: Person
  free: Person
  ids: string[]
  block: () => Promise<unknown>
}

async function storeTwo(restriction: Restriction): Promise<Two> {
  const [restricted, free] = [await store('Abad', '26-1'), await store('Blas', '26-2')]
  return { restricted, free, ids: [restricted.id, free.id], block: () => restrict(restricted, restriction) }
}

const json = async (answer: Response) => {
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.anything()])
  return await answer.json()
}
const post = async (path: string, body: object) => json(await own.admin.call('POST', path, body))
const get = async (path: string) => json(await own.admin.call('GET', path))

async function enrol(
  { ids }: Two,
  enrolment: object = {},
): Promise<{ termId: string; enrolmentIds: string[] }> {
  const { id: termId } = await storeTerm(own.database)
  const enrolmentIds: string[] = []
  for (const studentId of ids)
    enrolmentIds.push((await storeEnrolment(own.database, { termId, studentId, ...enrolment })).id)
  return { termId, enrolmentIds }
}

/** Both levels, in one term. */
async function graduate(two: Two): Promise<void> {
  const passed = { mark: '1.25', outcome: 'passed' } as const
  const { termId } = await enrol(two, passed)
  for (const studentId of two.ids)
    await storeEnrolment(own.database, { termId, studentId, level: 2, ...passed })
}

const namesOf = (items: readonly { lastName: string }[]) => items.map(({ lastName }) => lastName)

async function valuesOf({ ids }: Two, column: 'yearLevel' | 'serialNumber' | 'course') {
  const query = own.database.db
    .selectFrom('students')
    .select(column)
    .where('id', 'in', ids)
    .orderBy('lastName')
  return (await query.execute()).map((row) => row[column])
}

async function statesOf(lines: readonly SheetRow[], ofList: string, changes: object = {}) {
  const checked = await imports.check(await imports.upload(toCsv([...lines]), 'list.csv', ofList), changes)
  const { items } = await imports.rows(checked.id)
  const states = items.map(({ state, problems }) => [state, problems.map(({ message }) => message).join(' ')])
  await imports.run(checked.id)
  return states
}

const blockedRow = ['problem', enrolmentMessages.blocked('Abad, Ana')]
const lines = (column: string, values: readonly [string, string]): SheetRow[] => [
  { 'Student ID': '26-1', 'Last Name': 'Abad', 'First Name': 'Ana', [column]: values[0] },
  { 'Student ID': '26-2', 'Last Name': 'Blas', 'First Name': 'Ana', [column]: values[1] },
]

/** What makes, changes or passes on something of many at once. Each leaves the restricted record as it is, or refuses. */
const doors: Record<string, (two: Two) => Promise<void>> = {
  async 'a registrar’s list'(two) {
    const { termId } = await enrol(two)
    await two.block()
    const states = await statesOf(lines('Component', ['CWTS', 'CWTS']), `&purpose=registrar&term=${termId}`)
    expect(states).toEqual([blockedRow, ['ready', '']])
    const official = await own.database.db
      .selectFrom('enrolments')
      .select('studentId')
      .where('officialAt', 'is not', null)
      .execute()
    expect(official).toEqual([{ studentId: two.free.id }])
  },
  async 'a marks file'(two) {
    const { termId } = await enrol(two)
    await two.block()
    const states = await statesOf(lines('Mark', ['1.25', '1.25']), `&purpose=marks&term=${termId}`)
    expect(states).toEqual([blockedRow, ['ready', '']])
    const rows = await own.database.db.selectFrom('enrolments').select(['studentId', 'mark']).execute()
    expect(rows.filter(({ mark }) => mark !== '')).toEqual([{ studentId: two.free.id, mark: '1.25' }])
  },
  async 'a file of serial numbers'(two) {
    await graduate(two)
    const paper = await freezePaper(own.server, own.admin, await makePaper(own.admin))
    const sent = { state: 'sent', on: '2027-05-19' }
    const step = await own.admin.call('POST', `/papers/${paper.id}/state`, sent, {
      'If-Match': `"${paper.version}"`,
    })
    expect(step.status).toBe(200)
    await two.block()
    const states = await statesOf(
      lines('Serial Number', ['C-03-100001-27', 'C-03-100002-27']),
      `&purpose=serials&paper=${paper.id}`,
    )
    expect(states).toEqual([blockedRow, ['ready', '']])
    expect(await valuesOf(two, 'serialNumber')).toEqual(['', 'C-03-100002-27'])
  },
  async 'a file that updates records'(two) {
    await two.block()
    const before = await valuesOf(two, 'course')
    const states = await statesOf(lines('Year Level', ['2nd Year', '2nd Year']), '', {
      updateBy: 'studentId',
    })
    expect(states).toEqual([blockedRow, ['ready', '']])
    expect(await valuesOf(two, 'yearLevel')).toEqual([1, 2])
    expect(await valuesOf(two, 'course')).toEqual(before)
  },
  async 'POST /students/changes'(two) {
    await two.block()
    const change = { ids: two.ids, field: 'yearLevel', value: '2nd Year' }
    const preview = await post('/students/changes/preview', change)
    expect(preview).toEqual({ total: 1, blocked: 1, changes: [{ before: '1st Year', count: 1 }] })
    const { id, ...changed } = await post('/students/changes', change)
    expect(changed).toEqual({ count: 1, moved: 0, blocked: 1 })
    expect(await valuesOf(two, 'yearLevel')).toEqual([1, 2])
    await restrict(two.free, 'blocked')
    expect(await post(`/students/changes/${id}/undo`, {})).toMatchObject({ count: 0 })
  },
  async 'POST /students/export.xlsx'(two) {
    await two.block()
    for (const answer of [
      await own.admin.call('POST', '/students/export.xlsx', { ids: two.ids }),
      await own.admin.call('GET', '/students/export.xlsx'),
    ]) {
      const [sheet] = await readWorkbook(Buffer.from(await answer.arrayBuffer()))
      const text = JSON.stringify(sheet?.data)
      expect([text.includes('Blas'), text.includes('Abad')]).toEqual([true, false])
    }
  },
  async 'POST /students/rejections'(two) {
    await two.block()
    expect(await post('/students/rejections/preview', { ids: two.ids })).toMatchObject({ total: 2, kept: 1 })
    expect(await post('/students/rejections', { ids: two.ids })).toMatchObject({ count: 1 })
    const left = await own.database.db.selectFrom('students').select('id').execute()
    expect(left).toEqual([{ id: two.restricted.id }])
  },
  async 'POST /mail/audience'(two) {
    await two.block()
    expect(await post('/mail/audience', { ids: two.ids })).toMatchObject({ count: 1 })
  },
  async 'POST /credits'(two) {
    await two.block()
    const body = { students: two.ids, academicYear: '2014-2015', evidence: 'List of graduates' }
    expect(await post('/credits', body)).toMatchObject({ count: 1, blocked: 1 })
    const credited = await own.database.db.selectFrom('credits').select('studentId').distinct().execute()
    expect(credited).toEqual([{ studentId: two.free.id }])
  },
  async 'POST /certificates'(two) {
    await graduate(two)
    for (const { id } of [two.restricted, two.free]) {
      const serialNumber = id === two.free.id ? 'C-03-100002-27' : 'C-03-100001-27'
      await own.database.db.updateTable('students').set({ serialNumber }).where('id', '=', id).execute()
    }
    await two.block()
    const list = await get(`/certificates/graduates?academicYear=${year}`)
    expect([namesOf(list.items), list.blocked]).toEqual([['Blas'], 1])
    const wanted = { kind: 'completion', students: two.ids, academicYear: year, issuedOn: '2027-05-30' }
    const { batchId, ...issued } = await post('/certificates', wanted)
    expect(issued).toEqual({ count: 1, leftOut: [{ why: 'blocked', count: 1 }] })
    await restrict(two.free, 'withdrawn')
    expect(await post('/certificates/prints', { batchId })).toMatchObject({ items: [], leftOut: 1 })
  },
  async 'a paper'(two) {
    await graduate(two)
    const draft = await makePaper(own.admin)
    const frozen = await freezePaper(own.server, own.admin, draft)
    await two.block()
    expect(await own.admin.refusal('GET', `/papers/${frozen.id}/file.xlsx`)).toMatchObject({ status: 409 })
    const sent = { state: 'sent', on: '2027-05-19' }
    const version = { 'If-Match': `"${frozen.version}"` }
    expect((await own.admin.call('POST', `/papers/${frozen.id}/state`, sent, version)).status).toBe(409)
    const other = await makePaper(own.admin, { title: 'Another' })
    const { findings } = await post(`/papers/${other.id}/check`, {})
    const [stop] = findings.filter(({ code }: { code: string }) => code === 'K16')
    expect(stop).toMatchObject({ severity: 'stop', people: [{ ids: [two.restricted.id] }] })
  },
  async 'class lists'(two) {
    const { id: termId } = await storeTerm(own.database)
    const section = await storeSection(own.database, { termId, name: 'Alpha' })
    for (const studentId of two.ids)
      await storeEnrolment(own.database, { termId, studentId, sectionId: section.id })
    await two.block()
    const lists = JSON.stringify(await get(`/terms/${termId}/class-lists?component=CWTS&level=1`))
    expect([lists.includes('Blas'), lists.includes('Abad')]).toEqual([true, false])
  },
  async 'POST /terms/{id}/placements'(two) {
    const { id: termId } = await storeTerm(own.database)
    await two.block()
    const { items } = await get(`/terms/${termId}/unplaced?component=CWTS&level=1`)
    expect(items.map(({ student }: { student: Person }) => student.lastName)).toEqual(['Blas'])
    const section = await storeSection(own.database, { termId, name: 'Alpha' })
    const placement = {
      ...{ component: 'CWTS', level: 1, order: 'name', fill: 'in turn', withoutSections: false },
      ids: two.ids,
    }
    const { total, basis } = await post(`/terms/${termId}/placements/preview`, placement)
    expect(total).toBe(1)
    await post(`/terms/${termId}/placements`, { ...placement, basis })
    const placed = own.database.db.selectFrom('enrolments').select('studentId')
    expect(await placed.where('sectionId', '=', section.id).execute()).toEqual([{ studentId: two.free.id }])
  },
  async continuing(two) {
    await storeTerm(own.database, { academicYear: '2025-2026', state: 'closed' }).then(
      async ({ id: termId }) => {
        for (const studentId of two.ids)
          await storeEnrolment(own.database, { termId, studentId, mark: '1.25', outcome: 'passed' })
      },
    )
    const { id: termId } = await storeTerm(own.database)
    await two.block()
    const choices = {
      ...{ passed: 'next', 'no mark': 'next', incomplete: 'leave' },
      ...{ failed: 'again', dropped: 'leave', done: 'leave' },
    }
    const { groups } = await post(`/terms/${termId}/continuations/preview`, { choices })
    const [passed] = groups.filter(({ group }: { group: string }) => group === 'passed')
    expect(passed).toMatchObject({ count: 1, students: [{ id: two.free.id }] })
  },
  async 'PUT /terms/{id}/marks'(two) {
    const { termId, enrolmentIds } = await enrol(two)
    await two.block()
    const items = enrolmentIds.map((id) => ({ id, version: 1, mark: '1.25' }))
    const answer = await own.admin.call('PUT', `/terms/${termId}/marks`, { items })
    expect(JSON.stringify(await answer.json())).not.toContain(two.restricted.lastName)
    const marked = await own.database.db.selectFrom('enrolments').select(['id', 'mark']).execute()
    expect(marked.find(({ id }) => id === enrolmentIds[0])?.mark).toBe('')
  },
  async 'PUT /terms/{id}/scores'(two) {
    const { termId, enrolmentIds } = await enrol(two)
    const scheme = { ...proposedScheme('ROTC', defaultMarking), minimums: [] }
    await own.admin.call('PUT', `/terms/${termId}/mark-scheme`, { component: 'CWTS', scheme })
    await two.block()
    const items = enrolmentIds.map((id) => ({ id, part: 'final', seen: null, score: 90 }))
    expect((await own.admin.refusal('PUT', `/terms/${termId}/scores`, { items })).status).toBe(404)
  },
  async 'POST /terms/{id}/enrolments'(two) {
    const { id: termId } = await storeTerm(own.database)
    await two.block()
    const body = {
      studentIds: two.ids,
      level: 1,
      entry: 'new',
      school: '',
      sectionId: null,
      on: '2027-05-20',
    }
    expect(await own.admin.refusal('POST', `/terms/${termId}/enrolments`, body)).toMatchObject({
      status: 409,
      detail: enrolmentMessages.blocked('Abad, Ana'),
    })
  },
  async 'POST /enrolments/section'(two) {
    const { termId, enrolmentIds } = await enrol(two)
    const section = await storeSection(own.database, { termId, name: 'Alpha' })
    await two.block()
    const body = { ids: enrolmentIds, sectionId: section.id, reason: '' }
    expect(await own.admin.refusal('POST', '/enrolments/section', body)).toMatchObject({
      status: 409,
      detail: enrolmentMessages.blocked('Abad, Ana'),
    })
  },
}

/** What takes many at once and isn't kept from a restricted record, and why. */
const allowed: Record<string, string> = {
  'POST /students/archive': 'ends its use',
  'POST /students/unarchive': 'takes that back',
  'POST /students/sheets': 'for the office; the sheet says that the record is blocked',
  'POST /students/slips': 'opens the record to the student alone, who may see what is held',
  'POST /students/prints': 'notes what the browser has printed',
  'POST /students/duplicates/dismiss': 'of two records, whose restriction is on the screen',
  'POST /enrolments/drop': 'ends its use',
  'PUT /slides/order': 'of slides',
  'POST /terms/{id}/placements/preview': 'is tried with the placement',
  'POST /students/changes/preview': 'is tried with the change',
  'POST /students/rejections/preview': 'is tried with the rejection',
  'POST /certificates/prints': 'is tried with the certificates',
}

describe.each(['blocked', 'withdrawn'] as const)('a record that is %s', (restriction) => {
  test.each(Object.entries(doors))('is left alone by %s', async (_door, tries) => {
    await tries(await storeTwo(restriction))
  })
})

test('every operation that takes ids of many is tried, or is allowed for a reason', async () => {
  const description = await readDescription(own.server.url)
  const resolve = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref === undefined ? schema : description.components.schemas[schema.$ref.split('/').at(-1) ?? '']
  const takesMany = (schema: Schema | undefined) =>
    Object.entries(resolve(schema)?.properties ?? {}).some(
      ([name, property]) => resolve(property)?.type === 'array' && /^(ids|students|studentIds)$/.test(name),
    )
  const found = operationsOf(description)
    .filter(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}).some(({ schema }) => takesMany(schema)),
    )
    .map(({ path, method }) => `${method.toUpperCase()} ${path}`)
  expect(found.length).toBeGreaterThan(8)
  expect(found.filter((name) => !(name in doors) && !(name in allowed))).toEqual([])
})

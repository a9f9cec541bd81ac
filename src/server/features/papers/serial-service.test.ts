import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ImportDetails } from '#shared/imports/import-response.ts'
import { paperMessages } from '#shared/papers/papers.ts'
import type { Paper, PaperRows } from '#shared/papers/papers-response.ts'
import { restrictions } from '#shared/privacy/privacy.ts'
import { type SheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { freezePaper, makePaper, setOffice } from '#tests/setup/papers.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { createSerialsRepository } from './serial-repository.ts'

const own = startStudentsServer()
const [first, second] = [createId(), createId()]
const tables = ['importRows', 'imports', 'certificates', 'papers', 'enrolments', 'terms'] as const
const lastNames = ['Abad', 'Bautista', 'Castillo', 'Dimaculangan', 'Evangelista', 'Fernandez']
let ids: string[] = []
let paper: Paper
let imports: ReturnType<typeof importsOf>

beforeEach(async () => {
  const { db } = own.database
  for (const table of tables) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: first, state: 'closed' })
  await storeTerm(own.database, { id: second, semester: 2 })
  await setOffice(own.admin)
  ids = []
  for (const lastName of lastNames) ids.push(await graduate(lastName))
  paper = await sendPaper(await freezePaper(own.server, own.admin, await makePaper(own.admin)))
  imports = importsOf(own.server, await own.server.signIn())
})

async function sendPaper({ id, version }: Paper): Promise<Paper> {
  const sent = { state: 'sent', on: '2026-05-28' }
  const answer = await own.admin.call('POST', `/papers/${id}/state`, sent, { 'if-match': `"${version}"` })
  expect(answer.status).toBe(200)
  return await answer.json()
}

type Student = Parameters<typeof storeStudent>[1]

async function graduate(lastName: string, changes: Student = {}): Promise<string> {
  const number = ids.length + 1
  const { id: studentId } = await storeStudent(own.database, {
    lastName,
    firstName: 'Esperanza',
    middleName: 'Lumbera',
    studentId: `2026-0000${number}`,
    dateOfBirth: `2007-01-${10 + number}`,
    nstpComponent: 'CWTS',
    serialNumber: '',
    ...changes,
  })
  const component = 'CWTS'
  await storeEnrolment(own.database, { termId: first, studentId, component, outcome: 'passed' })
  await storeEnrolment(own.database, { termId: second, studentId, component, level: 2, outcome: 'passed' })
  return studentId
}

const serialOf = (index: number) => `C-03-10000${index + 1}-27`

/** As the workbook comes back. */
const line = (index: number, changes: SheetRow = {}): SheetRow => ({
  'NSTP GRADUATION YEAR': '2026-2027',
  'NSTP COMPONENT (CWTS/LTS/ROTC)': 'CWTS',
  'NSTP SERIAL NUMBER': serialOf(index),
  'LAST NAME': lastNames[index] ?? '',
  'FIRST NAME': 'Esperanza',
  'MIDDLE NAME': 'Lumbera',
  BIRTHDATE: `2007-01-${11 + index}`,
  ...changes,
})
const all = lastNames.map((_name, index) => line(index))

async function check(rows: readonly SheetRow[], of = paper): Promise<ImportDetails> {
  const uploaded = await imports.upload(toCsv([...rows]), 'serials.csv', `&purpose=serials&paper=${of.id}`)
  return await imports.check(uploaded)
}

async function rowsOf({ id }: Pick<Paper, 'id'>): Promise<string[]> {
  const rows: PaperRows = await (await own.admin.call('GET', `/papers/${id}/rows?list=graduates`)).json()
  return rows.items.map(({ serial }) => serial)
}

async function serials(): Promise<string[]> {
  const rows = await own.database.db
    .selectFrom('students')
    .select('serialNumber')
    .where('id', 'in', ids)
    .orderBy('lastName')
    .execute()
  return rows.map(({ serialNumber }) => serialNumber)
}

async function problemsOf({ id }: ImportDetails) {
  const { items } = await imports.rows(id)
  return items.map(({ state, problems }) => [state, problems.map(({ message }) => message).join(' ')])
}

const given = lastNames.map((_name, index) => serialOf(index))
const none = lastNames.map(() => '')

test('serial numbers that came back are matched, entered and undone', async () => {
  const checked = await check([...all].reverse())
  expect(checked).toMatchObject({ counts: { ready: 6 }, notes: ['Another order than we sent.'] })
  expect(checked.paperId).toBe(paper.id)
  expect(await serials()).toEqual(none)
  await imports.run(checked.id)
  expect(await serials()).toEqual(given)
  expect(await rowsOf(paper)).toEqual(given)
  expect(await (await own.admin.call('GET', `/papers/${paper.id}`)).json()).toMatchObject({ serials: 6 })
  const entries = await own.trail.of('serials-applied')
  expect(entries).toHaveLength(6)
  await imports.undo(checked.id)
  expect(await serials()).toEqual(none)
  expect(await rowsOf(paper)).toEqual(none)
})

test('the numbers of an earlier file stay when a later one that has them too is undone', async () => {
  await imports.run((await check(all.slice(0, 3))).id)
  const later = await check(all)
  expect(later).toMatchObject({ counts: { ready: 3, unchanged: 3 } })
  await imports.run(later.id)
  expect(await rowsOf(paper)).toEqual(given)
  await imports.undo(later.id)
  const earlier = [...given.slice(0, 3), '', '', '']
  expect(await serials()).toEqual(earlier)
  expect(await rowsOf(paper)).toEqual(earlier)
})

describe('after one of its people was merged', () => {
  const merge = async (dropId: string, take: object) => {
    const kept = await storeStudent(own.database, {
      lastName: 'Abad',
      nstpComponent: 'CWTS',
      serialNumber: '',
    })
    const { version: dropVersion } = await own.database.db
      .selectFrom('students')
      .select('version')
      .where('id', '=', dropId)
      .executeTakeFirstOrThrow()
    const body = { keepId: kept.id, keepVersion: 1, dropId, dropVersion, take }
    expect((await own.admin.call('POST', '/students/merge', body)).status).toBe(200)
    return kept.id
  }
  const serialOfRecord = async (id: string) =>
    (
      await own.database.db
        .selectFrom('students')
        .select('serialNumber')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).serialNumber

  test('the undo of a file takes the number from the remaining record, and the corrected one applies', async () => {
    const checked = await check(all)
    await imports.run(checked.id)
    const keptId = await merge(ids[0] ?? '', { serialNumber: 'drop' })
    expect(await serialOfRecord(keptId)).toBe(serialOf(0))
    await imports.undo(checked.id)
    expect(await serialOfRecord(keptId)).toBe('')
    expect(await rowsOf(paper)).toEqual(none)
    const corrected = await check(
      lastNames.map((_name, index) => line(index, { 'NSTP SERIAL NUMBER': serialOf((index + 1) % 6) })),
    )
    expect(corrected).toMatchObject({ counts: { ready: 6 } })
    await imports.run(corrected.id)
    expect(await serialOfRecord(keptId)).toBe(serialOf(1))
  })

  test('the undo of the merge gives the rows back', async () => {
    const checked = await check(all)
    await imports.run(checked.id)
    const [dropId = ''] = ids
    const keptId = await merge(dropId, {})
    expect((await own.admin.call('POST', `/students/${dropId}/restore`)).status).toBe(204)
    await imports.undo(checked.id)
    expect([await serialOfRecord(keptId), ...(await serials())]).toEqual(['', ...none])
  })
})

test('a number that was typed meanwhile is the record’s, and the row is not noted as another', async () => {
  const [studentId = ''] = ids
  const record = own.database.db.updateTable('students').where('id', '=', studentId)
  await record.set({ serialNumber: 'C-03-200001-27' }).execute()
  await createSerialsRepository(own.database.db).note(paper.id, [{ studentId, serial: serialOf(0) }])
  expect(await rowsOf(paper)).toEqual(none)
})

test('numbers come back for a paper that was sent', async () => {
  await own.database.db.updateTable('papers').set({ state: 'frozen' }).where('id', '=', paper.id).execute()
  await expect(check(all)).rejects.toThrow(paperMessages.notSent)
})

test('the workbook that was sent is read where its graduates are', async () => {
  const sent = await own.admin.call('GET', `/papers/${paper.id}/file.xlsx`)
  const file = new Uint8Array(await sent.arrayBuffer())
  const checked = await imports.check(
    await imports.upload(file, 'came back.xlsx', `&purpose=serials&paper=${paper.id}`),
  )
  expect(checked).toMatchObject({
    rowCount: 6,
    counts: { unchanged: 6 },
    notes: ['6 people got no number.'],
  })
})

test('records that were renamed since are found by the rows that were sent', async () => {
  await own.database.db
    .updateTable('students')
    .set({ lastName: 'Zamora' })
    .where('id', '=', ids[0] ?? '')
    .execute()
  expect(await check(all)).toMatchObject({ counts: { ready: 6 } })
})

describe('a file', () => {
  test('in small letters, without dashes, is stored as the pattern writes it', async () => {
    const checked = await check(
      lastNames.map((_name, index) =>
        line(index, { 'NSTP SERIAL NUMBER': `c03${serialOf(index).slice(5)}` }),
      ),
    )
    expect(checked).toMatchObject({ counts: { ready: 6 } })
    await imports.run(checked.id)
    expect(await serials()).toEqual(given)
    expect(await rowsOf(paper)).toEqual(given)
    await imports.undo(checked.id)
    expect(await serials()).toEqual(none)
  })

  test('that was dragged is refused with its cells', async () => {
    const dragged = await check(
      lastNames.map((_name, index) => line(index, { 'NSTP SERIAL NUMBER': `C-03-100001-${23 + index}` })),
    )
    expect(dragged).toMatchObject({
      state: 'uploaded',
      failure: expect.stringContaining(
        'Row 2: C-03-100001-23, row 3: C-03-100001-24, row 4: C-03-100001-25.',
      ),
    })
  })

  test('says what is to be looked at, and what cannot be taken', async () => {
    await storeStudent(own.database, {
      lastName: 'Holder',
      firstName: 'Rosa',
      middleName: '',
      serialNumber: serialOf(3),
    })
    const checked = await check([
      line(0, { 'NSTP SERIAL NUMBER': 'C-07-100001-26' }),
      line(1, { 'NSTP SERIAL NUMBER': serialOf(1) }),
      line(2, { 'NSTP SERIAL NUMBER': serialOf(1) }),
      line(3),
      line(4, { 'LAST NAME': 'Evangelysta' }),
      line(5, { 'LAST NAME': 'Nobody', 'FIRST NAME': 'Known', BIRTHDATE: '2001-01-01' }),
    ])
    expect(await problemsOf(checked)).toEqual([
      ['differs', 'Region 07, but ours is 03. Year 26, but it was awarded in 27.'],
      ['problem', 'This number stands in rows 3, 4.'],
      ['problem', 'This number stands in rows 3, 4.'],
      ['problem', 'Holder, Rosa already has this number.'],
      ['problem', 'The name is similar.'],
      ['unmatched', ''],
    ])
    expect(checked.notes).toEqual(['6 people got no number.'])
    await imports.changeRow(checked.id, 2, { take: true })
    await imports.changeRow(checked.id, 6, { studentId: ids[4] })
    expect(await problemsOf(checked)).toMatchObject([
      ['ready', ''],
      {},
      {},
      {},
      ['ready', 'They wrote Evangelysta, Esperanza.'],
      {},
    ])
    await imports.run(checked.id)
    expect(await serials()).toEqual(['C-07-100001-26', '', '', '', serialOf(4), ''])
  })
})

test('a certificate keeps the numbers', async () => {
  const checked = await check(all)
  await imports.run(checked.id)
  const issued = {
    id: createId(),
    number: 'NSTP-2027-000001',
    code: 'ABCDEFGHJKLM',
    kind: 'completion',
    component: 'CWTS',
    academicYear: '2026-2027',
    studentId: ids[0] ?? '',
    content: JSON.stringify({ serialNumber: serialOf(0) }),
    issuedOn: '2027-05-30',
    issuedAt: new Date(),
    batchId: createId(),
  } as const
  await own.database.db.insertInto('certificates').values(issued).execute()
  expect((await imports.problem('POST', `/${checked.id}/undo`, { evenChanged: false })).detail).toBe(
    'A certificate with one of these numbers was issued, so they stay.',
  )
  expect(await serials()).toEqual(given)
})

test('two files at once never give one number to two, or two to one', async () => {
  const other = await sendPaper(await freezePaper(own.server, own.admin, await makeOther()))
  const [one, two] = [
    await check(all),
    await check(
      lastNames.map((_name, index) => line(index, { 'NSTP SERIAL NUMBER': serialOf((index + 1) % 6) })),
      other,
    ),
  ]
  await Promise.all([imports.run(one.id), imports.run(two.id)])
  const held = await serials()
  expect(new Set(held).size).toBe(6)
  const states = [(await imports.read(one.id)).state, (await imports.read(two.id)).state]
  expect(states.sort()).toEqual(['checked', 'imported'])
})

/** A second paper of the same graduates, as an office may have after a return. */
async function makeOther(): Promise<Paper> {
  await own.database.db.updateTable('papers').set({ state: 'returned' }).where('id', '=', paper.id).execute()
  return await makePaper(own.admin)
}

describe('a range', () => {
  const range = (change: object = {}) => ({
    component: 'CWTS',
    first: serialOf(0),
    last: serialOf(5),
    reference: 'RO3-114',
    receivedOn: '2027-06-15',
    ...change,
  })

  test('is dealt out in the order of the paper', async () => {
    const answer = await own.admin.call('POST', `/papers/${paper.id}/range`, range())
    expect(answer.status).toBe(201)
    const { id } = await answer.json()
    expect(await imports.wait(id)).toMatchObject({ state: 'checked', counts: { ready: 6 }, notes: [] })
    await imports.run(id)
    expect(await serials()).toEqual(given)
  })

  test.each([
    [{ last: serialOf(6) }, 'That is 7 numbers for 6 CWTS students.'],
    [{ component: 'LTS' }, 'That is 6 numbers for 0 LTS students.'],
    [{ last: 'C-03-100006-28' }, 'The two may differ in their running number only.'],
  ])('%j is refused', async (change, detail) => {
    expect(await own.admin.refusal('POST', `/papers/${paper.id}/range`, range(change))).toMatchObject({
      status: 422,
      detail,
    })
  })
})

test('numbers in small letters are stored as the pattern writes them, and undone', async () => {
  const small = all.map((row, index) => ({ ...row, 'NSTP SERIAL NUMBER': serialOf(index).toLowerCase() }))
  const checked = await check(small)
  expect(checked).toMatchObject({ counts: { ready: 6 } })
  await imports.run(checked.id)
  expect(await serials()).toEqual(given)
  await imports.undo(checked.id)
  expect(await serials()).toEqual(none)
})

test.each(restrictions)(
  'a record that is %s since the list was frozen gets no number',
  async (restriction) => {
    const [id = ''] = ids
    await own.database.db.updateTable('students').set({ restriction }).where('id', '=', id).execute()
    const checked = await check(all)
    const sentence = 'The record of Abad, Esperanza is blocked.'
    expect(await problemsOf(checked)).toContainEqual(['problem', sentence])
    await imports.run(checked.id)
    expect(await serials()).toEqual(['', ...given.slice(1)])
  },
)

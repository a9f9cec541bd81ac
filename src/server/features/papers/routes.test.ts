import { buffer } from 'node:stream/consumers'
import readWorkbook from 'read-excel-file/node'
import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Column, writeWorkbook } from '#server/spreadsheet/workbook.ts'
import { paperMessages } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { basisOf, chedPaper, contentOf, freezePaper, makePaper, setOffice } from '#tests/setup/papers.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const own = startStudentsServer()
const [first, second] = [createId(), createId()]

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['papers', 'enrolments', 'terms'] as const) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: first, state: 'closed' })
  await storeTerm(own.database, { id: second, semester: 2 })
  await setOffice(own.admin)
})

async function graduate(lastName: string, component: 'ROTC' | 'CWTS' = 'CWTS'): Promise<string> {
  const { id: studentId } = await storeStudent(own.database, {
    lastName,
    nstpComponent: component,
    studentId: `2026-${lastName}`,
    serialNumber: '',
  })
  await storeEnrolment(own.database, { termId: first, studentId, component, outcome: 'passed' })
  await storeEnrolment(own.database, { termId: second, studentId, component, level: 2, outcome: 'passed' })
  return studentId
}

const seen = ({ version }: Pick<Paper, 'version'>) => ({ 'if-match': `"${version}"` })

async function step(paper: Paper, change: object): Promise<Paper> {
  const answer = await own.admin.call('POST', `/papers/${paper.id}/state`, change, seen(paper))
  expect(answer.status).toBe(200)
  return await answer.json()
}

const sent = { state: 'sent', on: '2026-05-28', how: 'by hand', reference: 'RO3-114' }

async function rowsOf(id: string, list = 'graduates') {
  return await (await own.admin.call('GET', `/papers/${id}/rows?list=${list}`)).json()
}

test('the file of a frozen paper keeps what was frozen, whatever its records say later', async () => {
  const studentId = await graduate('Abad')
  const frozen = await freezePaper(own.server, own.admin, await makePaper(own.admin))
  const names = async () => {
    const answer = await own.admin.call('GET', `/papers/${frozen.id}/file.xlsx`)
    const sheets = await readWorkbook(Buffer.from(await answer.arrayBuffer()))
    return sheets
      .flatMap(({ data }) => data.flat())
      .filter((cell) => cell === 'ABAD' || cell === 'Abad' || cell === 'Zamora')
  }
  const before = await names()
  expect(before.length).toBeGreaterThan(0)
  const { version } = await (await own.admin.call('GET', `/students/${studentId}`)).json()
  const edited = await own.admin.call(
    'PATCH',
    `/students/${studentId}`,
    { lastName: 'Zamora' },
    seen({ version }),
  )
  expect(edited.status).toBe(200)
  expect(await names()).toEqual(before)
})

test('a paper is made, frozen, sent, returned and corrected', async () => {
  await graduate('Abad')
  const made = await makePaper(own.admin, { dueOn: '2027-05-30', note: 'Ask the region' })
  expect(made).toMatchObject({
    title: 'CHED workbook 2026-2027',
    state: 'draft',
    dueOn: '2027-05-30',
    counts: null,
    rows: 0,
    createdBy: expect.any(String),
  })
  const check = await (await own.admin.call('POST', `/papers/${made.id}/check`)).json()
  const frozen = await freezePaper(own.server, own.admin, made)
  expect(check).toMatchObject({ counts: frozen.counts, unlisted: 0 })
  expect(frozen).toMatchObject({
    state: 'frozen',
    rows: 2,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(frozen.counts?.graduates.CWTS).toEqual({ Male: expect.any(Number), Female: expect.any(Number) })
  const { heads, items, total } = await rowsOf(made.id)
  expect(total).toBe(1)
  expect(items[0].cells[heads.indexOf('LAST NAME')]).toBe('Abad')
  expect(
    await own.admin.refusal(
      'POST',
      `/papers/${made.id}/state`,
      { state: 'accepted', on: '2026-06-01' },
      seen(frozen),
    ),
  ).toMatchObject({
    status: 409,
    detail: paperMessages.notNow('frozen', 'accepted'),
  })
  const future = { ...sent, on: '2126-05-28' }
  expect(await own.admin.refusal('POST', `/papers/${made.id}/state`, future, seen(frozen))).toMatchObject({
    status: 422,
    errors: [{ path: 'on', message: paperMessages.onFuture }],
  })
  const away = await step(frozen, sent)
  expect(away).toMatchObject({
    state: 'sent',
    sentOn: '2026-05-28',
    sentHow: 'by hand',
    agencyReference: 'RO3-114',
    note: 'Ask the region',
  })
  expect(await own.admin.refusal('POST', `/papers/${made.id}/unfreeze`, undefined, seen(away))).toMatchObject(
    {
      status: 409,
      detail: paperMessages.sent,
    },
  )
  // Nobody is listed twice: who is in a sent paper isn't a graduate of the next.
  await graduate('Late')
  const other = await freezePaper(own.server, own.admin, await makePaper(own.admin))
  expect((await rowsOf(other.id)).items.length).toBe(1)
  await own.admin.call('POST', `/papers/${other.id}/unfreeze`, undefined, seen(other))
  const early = { state: 'returned', on: '2026-05-27' }
  expect(await own.admin.refusal('POST', `/papers/${made.id}/state`, early, seen(away))).toMatchObject({
    status: 422,
    errors: [{ path: 'on', message: paperMessages.beforeSent }],
  })
  const back = await step(away, { state: 'returned', on: '2026-06-03', note: 'Wrong region' })
  expect(back).toMatchObject({ state: 'returned', note: 'Wrong region' })
  const copied = await own.admin.call('POST', `/papers/${made.id}/copy`)
  expect(copied.status).toBe(201)
  const corrected = await freezePaper(own.server, own.admin, await copied.json())
  expect(corrected).toMatchObject({ follows: { id: made.id, title: made.title }, dueOn: '2027-05-30' })
  expect((await rowsOf(corrected.id)).items.length).toBe(2)
  const { items: all } = await (await own.admin.call('GET', '/papers?year=2026-2027')).json()
  expect(all.length).toBe(3)
  const actions = ['paper-frozen', 'paper-sent', 'students-listed'] as const
  for (const action of actions) expect((await own.trail.of(action)).length).toBeGreaterThan(0)
})

test('who was only counted in a sent paper is counted in no other, but may be listed in one', async () => {
  const id = await graduate('Cadet', 'ROTC')
  const options = { ...chedPaper.options, listsRotc: true }
  const countsOf = async (paper: Paper) => {
    const { graduates } = (await contentOf(own.server, own.admin, paper.id)).counts
    return graduates.ROTC.Male + graduates.ROTC.Female
  }
  const made = await makePaper(own.admin)
  expect(await countsOf(made)).toBe(1)
  await step(await freezePaper(own.server, own.admin, made), sent)
  expect(await countsOf(await makePaper(own.admin))).toBe(0)
  const listing = await freezePaper(own.server, own.admin, await makePaper(own.admin, { options }))
  const { items } = await rowsOf(listing.id)
  expect(items.map(({ studentId }: { studentId: string }) => studentId)).toEqual([id])
})

describe('a frozen paper', () => {
  test('keeps its cells after an edit, and can be unfrozen until it is sent', async () => {
    const id = await graduate('Abad')
    const frozen = await freezePaper(own.server, own.admin, await makePaper(own.admin))
    await own.admin.call('PATCH', `/students/${id}`, { lastName: 'Zamora' }, { 'if-match': '"1"' })
    const { items, heads } = await rowsOf(frozen.id)
    expect(items[0].cells[heads.indexOf('LAST NAME')]).toBe('Abad')
    const answer = await own.admin.call('POST', `/papers/${frozen.id}/unfreeze`, undefined, seen(frozen))
    expect(await answer.json()).toMatchObject({ state: 'draft', rows: 0, digest: null })
    expect(await own.admin.refusal('GET', `/papers/${frozen.id}/file.xlsx`)).toMatchObject({
      status: 409,
      detail: paperMessages.notFrozen,
    })
  })

  test('goes nowhere while it lists somebody who was blocked since', async () => {
    const id = await graduate('Abad')
    const frozen = await freezePaper(own.server, own.admin, await makePaper(own.admin))
    const { db } = own.database
    await db.updateTable('students').set({ restriction: 'blocked' }).where('id', '=', id).execute()
    const refused = { status: 409, detail: paperMessages.blocked(1) }
    const download = () => own.admin.refusal('GET', `/papers/${frozen.id}/file.xlsx`)
    expect(await download()).toMatchObject(refused)
    const state = `/papers/${frozen.id}/state`
    expect(await own.admin.refusal('POST', state, sent, seen(frozen))).toMatchObject(refused)
    await db.updateTable('students').set({ restriction: null }).where('id', '=', id).execute()
    await step(frozen, sent)
    await db.updateTable('students').set({ restriction: 'blocked' }).where('id', '=', id).execute()
    expect((await own.admin.call('GET', `/papers/${frozen.id}/file.xlsx`)).status).toBe(200)
  })

  test('refuses other cells in the database', async () => {
    await graduate('Abad')
    await freezePaper(own.server, own.admin, await makePaper(own.admin))
    const { db } = own.database
    await expect(db.updateTable('paperRows').set({ cells: '["x"]' }).execute()).rejects.toThrow(
      'not alterable',
    )
    await db.updateTable('paperRows').set({ serial: 'C-03-100001-26' }).execute()
  })

  test('loses the cells of a deleted record, and says so', async () => {
    const id = await graduate('Abad')
    await graduate('Bautista')
    const frozen = await freezePaper(own.server, own.admin, await makePaper(own.admin))
    const { db } = own.database
    const answers = {
      paperId: frozen.id,
      code: 'K12',
      answer: 'meant',
      reason: 'Her name',
      at: new Date(),
    } as const
    await db
      .insertInto('paperAnswers')
      .values({ ...answers, subject: id })
      .execute()
    await db.deleteFrom('students').where('id', '=', id).execute()
    const paper: Paper = await (await own.admin.call('GET', `/papers/${frozen.id}`)).json()
    expect(paper).toMatchObject({ erased: 2, digest: frozen.digest })
    expect((await rowsOf(frozen.id)).items.map(({ cells }: { cells: string[] }) => cells.length)).toEqual([
      0, 20,
    ])
    const stored = await db.selectFrom('paperRows').select('cells').where('studentId', 'is', null).execute()
    expect(stored.map(({ cells }) => cells)).toEqual([['erased'], ['erased']])
    expect(await db.selectFrom('paperAnswers').selectAll().execute()).toEqual([])
    expect((await own.admin.call('GET', `/papers/${frozen.id}/file.xlsx`)).status).toBe(200)
  })

  test('goes with a merged record, and back, and is in the person’s file', async () => {
    const drop = await graduate('Abad')
    const { id: keep } = await storeStudent(own.database, {
      nstpComponent: 'CWTS',
      academicYear: '2026-2027',
    })
    const frozen = await freezePaper(own.server, own.admin, await makePaper(own.admin))
    const idsOf = async () => {
      const { items } = await rowsOf(frozen.id)
      return items.map(({ studentId }: { studentId: string }) => studentId)
    }
    const merge = { keepId: keep, keepVersion: 1, dropId: drop, dropVersion: 1, take: {} }
    expect((await own.admin.call('POST', '/students/merge', merge)).status).toBe(200)
    expect(await idsOf()).toEqual([keep])
    expect((await own.admin.call('POST', `/students/${drop}/restore`)).status).toBe(204)
    expect(await idsOf()).toEqual([drop])
    const file = await own.admin.call('GET', `/students/${drop}/file.xlsx`)
    const [sheet] = await readWorkbook(Buffer.from(await file.arrayBuffer()))
    const papers = (sheet?.data ?? []).filter(([part]) => part === 'Paper')
    const program = await (await own.admin.call('GET', `/students/${drop}/program`)).json()
    const { id, title } = frozen
    const paper = { id, title, state: 'frozen', number: 1, serial: '' }
    expect(program.papers).toEqual([
      { ...paper, list: 'enrolment' },
      { ...paper, list: 'graduates' },
    ])
    expect(papers.map(([, , what, value]) => [what, value])).toEqual([
      [frozen.title, expect.stringContaining('Abad')],
      [frozen.title, expect.stringContaining('Abad')],
    ])
    const preview = await own.admin.call('POST', '/students/rejections/preview', { ids: [drop] })
    expect(await preview.json()).toMatchObject({ kept: 1 })
  })

  test('is not frozen twice, nor from what has changed since the check', async () => {
    const id = await graduate('Abad')
    const made = await makePaper(own.admin)
    const basis = await basisOf(own.server, own.admin, made.id)
    const answers = {
      paperId: made.id,
      code: 'K16',
      subject: id,
      answer: 'left out',
      reason: 'Objects',
      at: new Date(),
    } as const
    await own.database.db.insertInto('paperAnswers').values(answers).execute()
    const path = `/papers/${made.id}/freeze`
    expect(await own.admin.refusal('POST', path, { basis }, seen(made))).toMatchObject({
      status: 409,
      detail: paperMessages.stale,
    })
    const now = await basisOf(own.server, own.admin, made.id)
    expect(await own.admin.refusal('POST', path, { basis: now }, seen(made))).toMatchObject({
      status: 409,
      detail: paperMessages.empty,
    })
    await graduate('Bautista')
    const frozen = await freezePaper(own.server, own.admin, made)
    expect(await own.admin.refusal('POST', path, { basis }, seen(frozen))).toMatchObject({
      status: 409,
      detail: paperMessages.frozen,
    })
  })
})

test('a draft is changed and deleted, a frozen one keeps its components', async () => {
  await graduate('Abad')
  const made = await makePaper(own.admin)
  const { title, components, options, dueOn, note } = made
  const edit = { title, components, options, dueOn, note }
  const answer = await own.admin.call(
    'PATCH',
    `/papers/${made.id}`,
    { ...edit, components: ['CWTS'] },
    seen(made),
  )
  const edited: Paper = await answer.json()
  expect(edited.components).toEqual(['CWTS'])
  const frozen = await freezePaper(own.server, own.admin, edited)
  expect(await own.admin.refusal('PATCH', `/papers/${made.id}`, edit, seen(frozen))).toMatchObject({
    status: 409,
    detail: paperMessages.frozen,
  })
  const { components: kept } = edited
  const due = await own.admin.call(
    'PATCH',
    `/papers/${made.id}`,
    { ...edit, components: kept, dueOn: '2027-06-30' },
    seen(frozen),
  )
  expect(await due.json()).toMatchObject({ state: 'frozen', dueOn: '2027-06-30' })
  expect((await own.admin.refusal('DELETE', `/papers/${made.id}`)).detail).toBe(paperMessages.frozen)
  const draft = await makePaper(own.admin)
  expect((await own.admin.call('DELETE', `/papers/${draft.id}`)).status).toBe(204)
})

test('a coordinator of one component makes papers of that one', async () => {
  await graduate('Cadet', 'ROTC')
  await graduate('Citizen')
  const whole = await makePaper(own.admin)
  const coordinator = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
  expect((await coordinator.refusal('POST', '/papers', chedPaper)).detail).toBe(paperMessages.notYours)
  const made = await makePaper(coordinator, { components: ['CWTS'] })
  const frozen = await freezePaper(own.server, coordinator, made)
  const { items, heads } = await rowsOf(frozen.id)
  expect(items.map(({ cells }: { cells: string[] }) => cells[heads.indexOf('LAST NAME')])).toEqual([
    'Citizen',
  ])
  const { items: seenPapers } = await (await coordinator.call('GET', '/papers')).json()
  expect(seenPapers.map(({ id }: Paper) => id)).toEqual([made.id])
  expect((await coordinator.refusal('GET', `/papers/${whole.id}`)).status).toBe(404)
  expect((await coordinator.refusal('GET', `/papers/${whole.id}/rows?list=graduates`)).status).toBe(404)
})

test('papers of a term take one of their year, and what each layout takes', async () => {
  const grades = { layout: 'rotc-grades', components: ['ROTC'] } as const
  expect(await own.admin.refusal('POST', '/papers', { ...chedPaper, ...grades })).toMatchObject({
    status: 422,
    detail: paperMessages.term,
  })
  expect(
    await own.admin.refusal('POST', '/papers', { ...chedPaper, ...grades, components: ['CWTS'] }),
  ).toMatchObject({
    status: 422,
    detail: paperMessages.notOfLayout('ROTC grades (COG, ROG)', ['ROTC']),
  })
  expect(await makePaper(own.admin, { ...grades, components: ['ROTC'], termId: second })).toMatchObject({
    title: 'ROTC grades (COG, ROG) Second semester 2026-2027',
  })
})

/** A registrar's workbook with these headings, and a row of last year. */
function registrarWorkbook(heads: readonly string[]): Promise<Buffer> {
  const columns = heads.map(
    (header): Column<null> => ({ header, width: 12, kind: 'text', value: () => 'of last year' }),
  )
  const created = new Date('2026-11-20T00:00:00Z')
  const options = { title: 'Ours', sheetName: 'Ours', created, timeZone: 'Asia/Manila' }
  return buffer(writeWorkbook({ ...options, columns, rows: [null] }))
}

test('papers are written into the office’s own workbook, until it is removed', async () => {
  await graduate('=Abad')
  const headers = { Cookie: await own.server.signIn(), 'Content-Type': 'application/octet-stream' }
  const base = '/layouts/registrar-grades/base'
  const upload = async (
    heads: readonly string[],
    { columns = '', path = base, fileName = 'Ours.xlsx' } = {},
  ) => {
    const address = `${own.server.url}/api${path}?${new URLSearchParams({ fileName, columns })}`
    const body = new Uint8Array(await registrarWorkbook(heads))
    return await fetch(address, { method: 'PUT', headers, body })
  }
  const heads = ['Remarks', 'Final grade', 'NAME', 'Student\nNo.', 'Section', 'Component']
  const asked = await (await upload(heads)).json()
  expect(asked).toEqual({
    base: null,
    unknown: [
      {
        sheet: 0,
        name: 'Ours',
        columns: [{ column: 'B', head: 'Final grade' }],
        missing: [{ value: 'mark', head: 'Mark', proposed: '' }],
      },
    ],
  })
  expect((await upload(heads, { fileName: 'Ours\u0000.xlsx' })).status).toBe(422)
  await own.admin.call('PUT', '/layouts/registrar-grades/confirmed', { isConfirmed: true })
  const taken = await upload(heads, { columns: '0.mark.B' })
  const stored = {
    fileName: 'Ours.xlsx',
    removed: ['1 old row'],
    uploadedAt: expect.any(String),
    uploadedBy: expect.any(String),
  }
  expect(await taken.json()).toEqual({ base: stored, unknown: [] })
  const listed = async () => {
    const { items } = await (await own.admin.call('GET', '/layouts')).json()
    return items.find(({ code }: { code: string }) => code === 'registrar-grades')
  }
  // It is another form.
  expect(await listed()).toMatchObject({ base: stored, isConfirmed: false })

  const grades = { layout: 'registrar-grades', termId: second } as const
  const made = await makePaper(own.admin, { ...grades, components: ['CWTS'] })
  const frozen = await freezePaper(own.server, own.admin, made)
  expect(frozen.ownWorkbook).toBe('Ours.xlsx')
  const download = async () => {
    const answer = await own.admin.call('GET', `/papers/${frozen.id}/file.xlsx`)
    return Buffer.from(await answer.arrayBuffer())
  }
  const before = await download()
  const [sheet] = await readWorkbook(before)
  expect(sheet?.data.map((row) => row.map((cell) => cell ?? ''))).toEqual([
    heads,
    ['PASSED', '', expect.stringContaining('=ABAD'), '2026-=Abad', '', 'CWTS'],
  ])

  // Another one and none are for later papers.
  await own.admin.call('PUT', '/layouts/registrar-grades/confirmed', { isConfirmed: true })
  expect((await upload([...heads.slice(0, 1), 'Mark', ...heads.slice(2)])).status).toBe(200)
  expect((await listed()).isConfirmed).toBe(false)
  await own.admin.call('PUT', '/layouts/registrar-grades/confirmed', { isConfirmed: true })
  expect((await own.admin.call('DELETE', base)).status).toBe(204)
  expect(await listed()).toMatchObject({ base: null, isConfirmed: false })
  expect(await own.admin.refusal('DELETE', base)).toMatchObject({ status: 404, detail: paperMessages.noBase })
  expect((await download()).equals(before)).toBe(true)
  const { db } = own.database
  expect(await db.selectFrom('layoutBases').select('fileName').execute()).toHaveLength(1)
  await own.admin.call('POST', `/papers/${frozen.id}/unfreeze`, undefined, seen(frozen))
  const { version } = await (await own.admin.call('GET', `/papers/${frozen.id}`)).json()
  const again = await freezePaper(own.server, own.admin, { id: frozen.id, version })
  expect(again.ownWorkbook).toBeNull()

  expect((await upload(heads, { path: '/layouts/rotc-grades/base' })).status).toBe(409)
  const changes = (await own.trail.of('layout-changed')).map(({ detail }) => detail)
  expect(changes[1]).toEqual({ fileName: 'Ours.xlsx', removed: '1 old row' })
  expect(changes.slice(-2)).toEqual([{ fileName: null }, { isConfirmed: false }])
})

test('the office confirms a layout', async () => {
  expect(
    (await own.admin.call('PUT', '/layouts/ched-workbook/confirmed', { isConfirmed: true })).status,
  ).toBe(204)
  const { items } = await (await own.admin.call('GET', '/layouts')).json()
  expect(items[0]).toMatchObject({ code: 'ched-workbook', isConfirmed: true })
  expect(items[1].isConfirmed).toBe(false)
})

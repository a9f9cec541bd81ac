import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultMarking, markingMessages } from '#shared/terms/marking.ts'
import { marksMessages } from '#shared/terms/marks.ts'
import type { EnteredMarks, MarkList } from '#shared/terms/marks-response.ts'
import { placingMessages } from '#shared/terms/placing.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const today = new Date('2026-12-14T09:00:00+08:00')
const own = startStudentsServer({ now: today })

const termId = createId()
const sectionId = createId()

beforeEach(async () => {
  const { db } = own.database
  for (const table of ['enrolments', 'sections', 'terms'] as const) await db.deleteFrom(table).execute()
  await storeTerm(own.database, { id: termId })
  await storeSection(own.database, { id: sectionId, termId })
})

type Student = Parameters<typeof storeStudent>[1]
type Enrolment = Partial<Parameters<typeof storeEnrolment>[1]>

async function enrol(lastName: string, overrides: Enrolment = {}, student: Student = {}): Promise<string> {
  const { id } = await storeStudent(own.database, {
    lastName,
    firstName: 'Ana',
    middleName: '',
    nstpComponent: 'CWTS',
    ...student,
  })
  const row = { termId, sectionId, studentId: id, ...overrides }
  return (await storeEnrolment(own.database, row)).id
}

type Caller = Pick<typeof own.admin, 'call' | 'refusal'>

const path = `/terms/${termId}/marks`

async function list(query = `section=${sectionId}`, by: Caller = own.admin): Promise<MarkList> {
  const answer = await by.call('GET', `${path}?component=CWTS&level=1&${query}`)
  expect(answer.status).toBe(200)
  return await answer.json()
}

const item = (id: string, mark: string, version = 1) => ({ id, version, mark })

async function enter(
  items: ReturnType<typeof item>[],
  { reason = '', key = '', by = own.admin as Caller } = {},
): Promise<EnteredMarks> {
  const headers = key === '' ? {} : { 'Idempotency-Key': key }
  const answer = await by.call('PUT', path, { items, reason }, headers)
  expect(answer.status).toBe(200)
  return await answer.json()
}

const refusal = (items: ReturnType<typeof item>[], by: Caller = own.admin) =>
  by.refusal('PUT', path, { items })

async function marksNow(): Promise<string[]> {
  const { items } = await list()
  return items.map(({ student, mark, outcome }) => `${student.lastName} ${mark || '-'} ${outcome}`)
}

const undo = (batchId: string) => own.admin.call('POST', `/enrolment-batches/${batchId}/undo`)

describe('marks', () => {
  test('of a section are listed in the order of names, and entered with history and trail', async () => {
    const cruz = await enrol('Cruz')
    const abad = await enrol('Abad')
    const bautista = await enrol('Bautista')
    await enrol('Dropped', { status: 'dropped' })
    await enrol('Elsewhere', { sectionId: null })
    await enrol('Blocked', {}, { restriction: 'blocked' })
    const { batchId, items, conflicts } = await enter([item(abad, ' 1.25 '), item(bautista, 'inc')])
    expect(items).toEqual([
      { id: abad, version: 2, mark: '1.25', outcome: 'passed' },
      { id: bautista, version: 2, mark: 'INC', outcome: 'incomplete' },
    ])
    expect(conflicts).toEqual([])
    expect(await marksNow()).toEqual(['Abad 1.25 passed', 'Bautista INC incomplete', 'Cruz - none'])
    expect((await list()).leftOut).toBe(1)
    expect((await list('')).items.map(({ student }) => student.lastName)).toEqual(['Elsewhere'])
    await enter([item(cruz, '5.00'), item(abad, '', 2)])
    expect(await marksNow()).toEqual(['Abad - none', 'Bautista INC incomplete', 'Cruz 5.00 failed'])
    const changes = await own.database.db
      .selectFrom('enrolmentChanges')
      .selectAll()
      .where('batchId', '=', batchId)
      .where('enrolmentId', '=', abad)
      .execute()
    expect(changes).toMatchObject([
      {
        what: 'mark',
        at: today,
        before: { mark: '', outcome: 'none' },
        after: { mark: '1.25', outcome: 'passed' },
        reason: '',
        version: 2,
      },
    ])
    expect(await own.trail.of('marks-entered')).toMatchObject([
      { subject: 'First semester 2026-2027', affected: 2 },
      { subject: 'First semester 2026-2027', affected: 2 },
    ])
    expect(await own.trail.of('students-listed')).toMatchObject([{ detail: { list: 'marks' } }])
  })

  test('that are none are refused with a sentence, all or none', async () => {
    const abad = await enrol('Abad')
    const cruz = await enrol('Cruz')
    const answer = await own.admin.call('PUT', path, { items: [item(abad, '1.00'), item(cruz, 'A+')] })
    expect(answer.status).toBe(422)
    expect((await answer.json()).errors).toEqual([
      { path: 'items.1.mark', message: markingMessages.mark(defaultMarking) },
    ])
    expect(await marksNow()).toEqual(['Abad - none', 'Cruz - none'])
  })

  test('follow the scale of the settings', async () => {
    const abad = await enrol('Abad')
    const { version } = await (await own.admin.call('GET', '/settings')).json()
    const setScale = async (marking: object, seen: number) =>
      own.admin.call('PATCH', '/settings', { marking }, { 'If-Match': `"${seen}"` })
    const changed = await setScale({ best: '100', passing: '75', worst: '0' }, version)
    expect(changed.status).toBe(200)
    await enter([item(abad, '74')])
    expect(await marksNow()).toEqual(['Abad 74 failed'])
    expect((await setScale(defaultMarking, version + 1)).status).toBe(200)
    expect(await marksNow()).toEqual(['Abad 74 failed'])
  })

  test('that somebody else changed meanwhile stay, the others are saved', async () => {
    const abad = await enrol('Abad')
    const cruz = await enrol('Cruz')
    await enter([item(abad, '1.50')])
    const { items, conflicts } = await enter([item(abad, '2.00'), item(cruz, '3.00')])
    expect(items).toEqual([{ id: cruz, version: 2, mark: '3.00', outcome: 'passed' }])
    expect(conflicts).toEqual([{ id: abad, version: 2, mark: '1.50', outcome: 'passed' }])
    expect(await marksNow()).toEqual(['Abad 1.50 passed', 'Cruz 3.00 passed'])
  })

  test('that are sent again are entered once', async () => {
    const abad = await enrol('Abad')
    const first = await enter([item(abad, '1.50')], { key: 'marks-of-today' })
    expect(await enter([item(abad, '1.50')], { key: 'marks-of-today' })).toEqual(first)
    expect(await own.trail.of('marks-entered')).toHaveLength(1)
  })

  test('of a closed term need a reason, which the history keeps', async () => {
    const abad = await enrol('Abad', { mark: 'INC', outcome: 'incomplete' })
    await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    expect(await refusal([item(abad, '2.00')])).toMatchObject({ status: 422, detail: marksMessages.reason })
    const { batchId } = await enter([item(abad, '2.00')], { reason: 'Completed on 10 Dec' })
    const [change] = await own.database.db.selectFrom('enrolmentChanges').selectAll().execute()
    expect(change).toMatchObject({ what: 'mark', reason: 'Completed on 10 Dec' })
    expect(await (await undo(batchId)).json()).toEqual({ count: 1, skipped: 0 })
    expect(await marksNow()).toEqual(['Abad INC incomplete'])
  })

  test('are taken back by the undo, but for what was changed since', async () => {
    const abad = await enrol('Abad', { mark: '3.00', outcome: 'passed' })
    const cruz = await enrol('Cruz')
    const { batchId } = await enter([item(abad, '5.00'), item(cruz, '1.00')])
    await enter([item(cruz, '1.25', 2)])
    const batches = (await (await own.admin.call('GET', `/terms/${termId}/batches`)).json()).items
    expect(batches).toHaveLength(2)
    expect(batches).toContainEqual(
      expect.objectContaining({ id: batchId, what: 'mark', count: 2, undoable: 1 }),
    )
    expect(await (await undo(batchId)).json()).toEqual({ count: 1, skipped: 1 })
    expect(await marksNow()).toEqual(['Abad 3.00 passed', 'Cruz 1.25 passed'])
  })

  test('are taken back whoever dropped or moved since, and the drop after them', async () => {
    const abad = await enrol('Abad')
    const cruz = await enrol('Cruz')
    const { batchId } = await enter([item(abad, '1.00'), item(cruz, '5.00')])
    const on = '2026-11-20'
    const dropped = await own.admin.call('POST', '/enrolments/drop', { ids: [abad], on, reason: '' })
    const to = { component: 'CWTS', level: 2, sectionId: null, on, reason: '' }
    const move = await own.admin.call('POST', `/enrolments/${cruz}/move`, to, { 'If-Match': '"2"' })
    expect(move.status).toBe(200)
    const batches = (await (await own.admin.call('GET', `/terms/${termId}/batches`)).json()).items
    expect(batches).toContainEqual(expect.objectContaining({ id: batchId, count: 2, undoable: 2 }))
    expect(await (await undo(batchId)).json()).toEqual({ count: 2, skipped: 0 })
    const rows = own.database.db.selectFrom('enrolments').select(['status', 'mark', 'outcome'])
    const none = { mark: '', outcome: 'none' }
    expect(await rows.orderBy('id').execute()).toEqual([
      { status: 'dropped', ...none },
      { status: 'moved', ...none },
      { status: 'enrolled', ...none },
    ])
    // Once.
    expect((await undo(batchId)).status).toBe(404)
    const drop = (await dropped.json()).batchId
    expect(await (await undo(drop)).json()).toEqual({ count: 1, skipped: 0 })
    expect((await list(`section=${sectionId}`)).items).toHaveLength(1)
  })

  test('of somebody who is no longer in the list save nothing', async () => {
    const abad = await enrol('Abad')
    const gone = { status: 404, detail: marksMessages.gone }
    const dropped = await enrol('Dropped', { status: 'dropped' })
    expect(await refusal([item(abad, '1.00'), item(dropped, '1.00')])).toMatchObject(gone)
    expect(await refusal([item(abad, '1.00'), item(createId(), '1.00')])).toMatchObject(gone)
    const other = await storeTerm(own.database, { semester: 2, state: 'planned' })
    const later = await enrol('Later', { termId: other.id, sectionId: null })
    expect(await refusal([item(later, '1.00')])).toMatchObject(gone)
    expect(await refusal([item(abad, '1.00'), item(abad, '2.00')])).toMatchObject({ status: 422 })
    expect(await marksNow()).toEqual(['Abad - none'])
  })
})

describe('a second pass of a level', () => {
  const message = marksMessages.passedBefore('Abad, Ana', 'First semester 2025-2026')

  async function enrolAgain(outcome: 'passed' | 'failed') {
    const { id } = await storeStudent(own.database, {
      lastName: 'Abad',
      firstName: 'Ana',
      nstpComponent: 'CWTS',
    })
    const before = await storeTerm(own.database, { academicYear: '2025-2026', state: 'closed' })
    const past = { termId: before.id, studentId: id, outcome }
    const first = await storeEnrolment(own.database, past)
    const again = await storeEnrolment(own.database, { termId, sectionId, studentId: id })
    return { before: before.id, first: first.id, again: again.id }
  }

  test('is refused; a mark that fails is not', async () => {
    const { again } = await enrolAgain('passed')
    expect(await refusal([item(again, '2.00')])).toMatchObject({ status: 422, detail: message })
    await enter([item(again, '5.00')])
    expect(await marksNow()).toEqual(['Abad 5.00 failed'])
  })

  test('is refused to one of two who enter it in two terms at once', async () => {
    const { before, first, again } = await enrolAgain('failed')
    const answers = await Promise.all([
      own.admin.call('PUT', path, { items: [item(again, '2.00')] }),
      own.admin.call('PUT', `/terms/${before}/marks`, { items: [item(first, '3.00')], reason: 'INC' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('is refused to an undo', async () => {
    const { before, first, again } = await enrolAgain('failed')
    await enter([item(again, '2.00')])
    const { batchId } = await enter([item(again, '5.00', 2)])
    const late = { items: [item(first, '3.00')], reason: 'Late' }
    expect((await own.admin.call('PUT', `/terms/${before}/marks`, late)).status).toBe(200)
    const path = `/enrolment-batches/${batchId}/undo`
    expect(await own.admin.refusal('POST', path)).toMatchObject({
      status: 404,
      detail: placingMessages.tooLate,
    })
  })
})

test('the registrar reads marks and the figures of a term, an assistant neither', async () => {
  const abad = await enrol('Abad')
  await enrol('Cruz')
  await enter([item(abad, '1.00')])
  const registrar = await createStaffClient(own.server, { role: 'registrar', components: [] })
  expect((await list(`section=${sectionId}`, registrar)).items).toHaveLength(2)
  expect(await refusal([item(abad, '5.00')], registrar)).toMatchObject({ status: 403 })
  const assistant = await createStaffClient(own.server, { role: 'assistant', components: [] })
  const asked = `${path}?component=CWTS&level=1&section=${sectionId}`
  expect(await assistant.refusal('GET', asked)).toMatchObject({ status: 403 })
  const figures = async (by: Caller) => {
    const { items } = await (await by.call('GET', `/terms/${termId}/summary`)).json()
    return items.find(
      (cell: { component: string; level: number }) => cell.component === 'CWTS' && cell.level === 1,
    )
  }
  expect(await figures(registrar)).toMatchObject({ placed: 2, marked: 1 })
  expect(await figures(assistant)).not.toHaveProperty('marked')
})

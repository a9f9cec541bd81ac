import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MarkScheme, proposedScheme, schemeMessages } from '#shared/terms/mark-scheme.ts'
import { defaultMarking } from '#shared/terms/marking.ts'
import { marksMessages } from '#shared/terms/marks.ts'
import type { EnteredMarks, MarkList, SavedScores } from '#shared/terms/marks-response.ts'
import { termMessages } from '#shared/terms/terms.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeTerm } from '#tests/factories/stored-term.ts'
import { startAttendedTerm } from '#tests/setup/attended-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

// 10 September 2026 in Manila.
const own = startStudentsServer({ now: new Date('2026-09-10T09:00:00+08:00') })
const { termId, alpha, addDays } = startAttendedTerm(own)

const scheme: MarkScheme = {
  ...proposedScheme('ROTC', defaultMarking),
  minimums: [{ parts: ['midterm', 'final'], points: 28 }],
}
const withPart = (key: string, about: object): MarkScheme => ({
  ...scheme,
  parts: scheme.parts.map((part) => (part.key === key ? { ...part, ...about } : part)),
})

const path = `/terms/${termId}`
type Caller = Pick<typeof own.admin, 'call' | 'refusal'>

async function saveScheme(body: MarkScheme | null = scheme, term = termId) {
  const answer = await own.admin.call('PUT', `/terms/${term}/mark-scheme`, {
    component: 'CWTS',
    scheme: body,
  })
  expect(answer.status, await answer.clone().text()).toBe(200)
}

async function enrol(lastName: string, about: Partial<Parameters<typeof storeEnrolment>[1]> = {}) {
  const { id: student } = await storeStudent(own.database, {
    ...{ lastName, firstName: 'Ana', middleName: '', nstpComponent: 'CWTS' },
  })
  const row = { termId, sectionId: alpha, studentId: student, ...about }
  return { student, id: (await storeEnrolment(own.database, row)).id }
}

async function list(by: Caller = own.admin): Promise<MarkList> {
  const answer = await by.call('GET', `${path}/marks?component=CWTS&level=1&section=${alpha}`)
  expect(answer.status).toBe(200)
  return await answer.json()
}

const scoresOf = (id: string, scores: Record<string, number | null>, seen: number | null = null) =>
  Object.entries(scores).map(([part, score]) => ({ id, part, seen, score }))

async function saveScores(items: ReturnType<typeof scoresOf>): Promise<SavedScores> {
  const answer = await own.admin.call('PUT', `${path}/scores`, { items })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return await answer.json()
}

const enter = (id: string, mark: string, { version = 1, isProposed = true, reason = '' } = {}) =>
  own.admin.call('PUT', `${path}/marks`, { items: [{ id, version, mark, isProposed }], reason })

async function entered(...sent: Parameters<typeof enter>): Promise<EnteredMarks> {
  const answer = await enter(...sent)
  expect(answer.status, await answer.clone().text()).toBe(200)
  return await answer.json()
}

const full = { attendance: 90, attitude: 90, midterm: 80, final: 75 }

describe('the parts of marks', () => {
  test('hold for the term and those after it, until they have their own', async () => {
    const { id: earlier } = await storeTerm(own.database, { academicYear: '2025-2026', state: 'closed' })
    await saveScheme()
    const { id: later } = await storeTerm(own.database, { semester: 2, state: 'planned' })
    const of = async (term: string, component = 'CWTS') => {
      const answer = await own.admin.call('GET', `/terms/${term}/marks?component=${component}&level=1`)
      const { scheme: now }: MarkList = await answer.json()
      return now?.parts.map(({ name }) => name).join() ?? null
    }
    const names = 'Attendance,Aptitude,Midterm examination,Final examination'
    expect([await of(earlier), await of(termId), await of(later), await of(later, 'ROTC')]).toEqual([
      null,
      names,
      names,
      null,
    ])
    await saveScheme(null, later)
    expect([await of(termId), await of(later)]).toEqual([names, null])
    await saveScheme()
    const [first, ...others] = await own.trail.of('mark-scheme-changed')
    expect(first).toMatchObject({ subject: 'First semester 2026-2027: CWTS' })
    expect(others).toHaveLength(1)
  })

  test('are not changed over what somebody else saved meanwhile', async () => {
    await saveScheme()
    const other = withPart('midterm', { top: 50 })
    const change = async (body: MarkScheme | null, seen: MarkScheme | null) => {
      const sent = { component: 'CWTS', scheme: body, seen }
      return (await own.admin.call('PUT', `${path}/mark-scheme`, sent)).status
    }
    expect([await change(other, null), await change(other, scheme), await change(null, scheme)]).toEqual([
      409, 200, 409,
    ])
    expect((await list()).scheme).toEqual(other)
  })

  test('are refused with a scale that doesn’t fit, by who may not, and in a closed term', async () => {
    const change = (body: MarkScheme, by: Caller = own.admin) =>
      by.refusal('PUT', `${path}/mark-scheme`, { component: 'CWTS', scheme: body })
    const bounds = [
      { from: 75, mark: '75' },
      { from: 0, mark: '5.00' },
    ]
    expect(await change({ ...scheme, scale: { ...scheme.scale, bounds } })).toMatchObject({
      status: 422,
      errors: [{ path: 'scheme.scale.bounds', message: schemeMessages.mark('75') }],
    })
    expect(await change(withPart('final', { weight: 10 }))).toMatchObject({ status: 422 })
    const registrar = await createStaffClient(own.server, { role: 'registrar', components: [] })
    expect(await change(scheme, registrar)).toMatchObject({ status: 403 })
    await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    expect(await change(scheme)).toMatchObject({
      status: 409,
      detail: termMessages.isClosed('First semester 2026-2027'),
    })
  })
})

describe('scores', () => {
  beforeEach(() => saveScheme())

  test('are saved over what was seen, once, and read with what was attended', async () => {
    const { id, student } = await enrol('Abad')
    const sent = scoresOf(id, { midterm: 80, final: 75.25 })
    expect(await saveScores(sent)).toEqual({
      items: sent.map(({ seen: _seen, ...one }) => one),
      conflicts: [],
    })
    expect(await saveScores(sent)).toMatchObject({ items: [{}, {}], conflicts: [] })
    expect(await own.trail.of('scores-entered')).toMatchObject([{ affected: 1 }])
    const { items: saved, conflicts } = await saveScores([
      ...scoresOf(id, { midterm: 70 }),
      ...scoresOf(id, { final: null }, 75.25),
    ])
    expect([saved, conflicts]).toEqual([
      [{ id, part: 'final', score: null }],
      [{ id, part: 'midterm', score: 80 }],
    ])
    const days = await addDays(['2026-08-08', '2026-08-15', '2026-08-22', '2026-09-05'])
    const states = ['present', 'late', 'absent', 'excused'] as const
    const calls = days.map(({ id: dayId }, index) => ({
      ...{ id: createId(), dayId, studentId: student, state: states[index] },
      ...(states[index] === 'excused' && { ground: 'family' }),
    }))
    expect((await own.admin.call('POST', `${path}/attendance`, { calls })).status).toBe(200)
    expect((await list()).items).toMatchObject([
      { version: 1, scores: { midterm: 80 }, attended: { attended: 2, of: 3 }, percent: null, parts: null },
    ])
  })

  test('are refused above the top, for an unknown part and for somebody else’s student', async () => {
    const { id } = await enrol('Abad')
    const refusal = (items: object[]) => own.admin.refusal('PUT', `${path}/scores`, { items })
    expect(await refusal(scoresOf(id, { midterm: 100.01, final: 1.005 }))).toMatchObject({
      status: 422,
      errors: [
        { path: 'items.0.score', message: marksMessages.score(100) },
        { path: 'items.1.score', message: marksMessages.score(100) },
      ],
    })
    expect(await refusal(scoresOf(id, { project: 1 }))).toMatchObject({
      status: 409,
      detail: marksMessages.noPart,
    })
    expect(await refusal(scoresOf(createId(), { final: 1 }))).toMatchObject({ status: 404 })
    const twice = [...scoresOf(id, { final: 1 }), ...scoresOf(id, { final: 2 })]
    expect(await refusal(twice)).toMatchObject({ errors: [{ message: marksMessages.scoreTwice }] })
  })

  test('keep a student enrolled whose placing is taken back', async () => {
    const { id: studentId } = await storeStudent(own.database, { nstpComponent: 'CWTS' })
    const body = {
      studentIds: [studentId],
      level: 1,
      entry: 'new',
      school: '',
      sectionId: alpha,
      on: '2026-08-10',
    }
    const added = await (await own.admin.call('POST', `${path}/enrolments`, body)).json()
    const [{ id }] = (await list()).items as [MarkList['items'][number]]
    await saveScores(scoresOf(id, { final: 80 }))
    expect((await own.admin.call('POST', `/enrolment-batches/${added.batchId}/undo`)).status).toBe(404)
    expect((await list()).items).toHaveLength(1)
  })
})

describe('a mark that the parts give', () => {
  beforeEach(() => saveScheme())

  test('is stored with per cent and parts, and its undo takes all of it back', async () => {
    const { id } = await enrol('Abad', { mark: 'INC', outcome: 'incomplete' })
    await saveScores(scoresOf(id, full))
    // 27 + 27 + 16 + 15
    const { batchId, items } = await entered(id, '2.00')
    expect(items).toEqual([{ id, version: 2, mark: '2.00', outcome: 'passed' }])
    const [stored] = (await list()).items
    expect(stored).toMatchObject({ mark: '2.00', percent: '85.00' })
    expect(stored?.parts?.map(({ key, score, weight }) => `${key} ${score} ${weight}`)).toEqual([
      'attendance 90 30',
      'attitude 90 30',
      'midterm 80 20',
      'final 75 20',
    ])
    expect((await own.admin.call('POST', `/enrolment-batches/${batchId}/undo`)).status).toBe(200)
    expect((await list()).items).toMatchObject([
      { mark: 'INC', outcome: 'incomplete', percent: null, parts: null, scores: full },
    ])
  })

  test('stays when scores and scheme change, and is entered anew with them', async () => {
    const { id } = await enrol('Abad')
    await saveScores(scoresOf(id, full))
    await entered(id, '2.00')
    await saveScores(scoresOf(id, { final: 80 }, 75))
    await saveScheme(withPart('attendance', { lowest: 50 }))
    expect((await list()).items).toMatchObject([{ mark: '2.00', percent: '85.00', version: 2 }])
    // 28.5 + 27 + 16 + 16: another mark than the one that was seen.
    expect(await entered(id, '2.00', { version: 2 })).toMatchObject({
      items: [],
      conflicts: [{ mark: '2.00' }],
    })
    await entered(id, '1.75', { version: 2 })
    expect((await list()).items).toMatchObject([{ mark: '1.75', percent: '88.00', version: 3 }])
    // Sent again, it is the same.
    expect(await entered(id, '1.75', { version: 2 })).toMatchObject({
      items: [{ version: 3 }],
      conflicts: [],
    })
  })

  test('is a conflict without all scores, and where the enrolment changed', async () => {
    const { id } = await enrol('Abad')
    await saveScores(scoresOf(id, { final: 80 }))
    expect(await entered(id, '1.00')).toMatchObject({ items: [], conflicts: [{ mark: '' }] })
    await saveScores(scoresOf(id, { ...full, final: 80 }).filter(({ part }) => part !== 'final'))
    await own.database.db.updateTable('enrolments').set({ version: 5 }).execute()
    expect(await entered(id, '1.75')).toMatchObject({ items: [], conflicts: [{ version: 5 }] })
  })

  test('is typed over with a reason; letters need none, and the same number is the proposed one', async () => {
    const { id } = await enrol('Abad')
    await saveScores(scoresOf(id, full))
    const typed = { isProposed: false }
    expect(await (await enter(id, '1.00', typed)).json()).toMatchObject({
      errors: [{ path: 'reason', message: marksMessages.against }],
    })
    await entered(id, 'INC', typed)
    expect((await list()).items).toMatchObject([{ mark: 'INC', parts: null }])
    await entered(id, '2.00', { ...typed, version: 2 })
    expect((await list()).items).toMatchObject([{ mark: '2.00', percent: '85.00' }])
    await entered(id, '1.00', { ...typed, version: 3, reason: 'Best in the field' })
    expect((await list()).items).toMatchObject([{ mark: '1.00', percent: null, parts: null }])
  })

  test('fails below a minimum', async () => {
    const { id } = await enrol('Abad')
    await saveScores(scoresOf(id, { attendance: 100, attitude: 100, midterm: 69, final: 70 }))
    await entered(id, '5.00')
    expect((await list()).items).toMatchObject([{ mark: '5.00', outcome: 'failed', percent: '88.00' }])
  })
})

test('a coordinator of another component sees no parts', async () => {
  await saveScheme()
  const rotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
  expect((await list(rotc)).scheme).toBeNull()
})

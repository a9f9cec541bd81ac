import { v7 as createId } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { AttendanceGrid, TrainingDayList } from '#shared/attendance/attendance-response.ts'
import { callMessages } from '#shared/attendance/calls.ts'
import { ruleMessages, rulePresets } from '#shared/attendance/standing.ts'
import { trainingDayMessages } from '#shared/attendance/training-days.ts'
import { termMessages } from '#shared/terms/terms.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { openDesk, startAttendedTerm } from '#tests/setup/attended-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

const today = new Date('2026-09-10T09:00:00+08:00')
const own = startStudentsServer({ now: today })

const { termId, alpha, bravo, plan, ...attended } = startAttendedTerm(own)
const desk = openDesk(own, { termId, alpha })
const {
  enrol,
  edit,
  listDays,
  callOf,
  call,
  refusedCall,
  grid,
  marked,
  close,
  changeSection,
  lastEntry,
  dayNow,
} = desk
const saturdays = ['2026-08-08', '2026-08-15', '2026-08-22', '2026-08-29']

type Caller = Pick<typeof own.admin, 'call' | 'refusal'>

const addDays = (on: readonly string[] = saturdays, overrides: object = {}) => attended.addDays(on, overrides)

const refusedDays = (on: readonly string[], overrides: object = {}, by: Caller = own.admin) =>
  by.refusal('POST', `/terms/${termId}/training-days`, plan(on, overrides))

describe('training days', () => {
  test('are added within the term, once for the same students and time, and listed in order', async () => {
    await addDays()
    expect((await listDays()).items.map(({ heldOn, state }) => `${heldOn} ${state}`)).toEqual(
      saturdays.map((on) => `${on} planned`),
    )
    expect(await lastEntry()).toMatchObject({ action: 'training-days-changed', affected: 4 })
    expect(await refusedDays(['2026-08-15'])).toMatchObject({
      errors: [{ path: 'on', message: trainingDayMessages.taken('2026-08-15') }],
    })
    expect(await refusedDays(['2026-08-15'], { level: null, sectionIds: [] })).toMatchObject({ status: 422 })
    // Another level, component or time is another day.
    await addDays(['2026-08-15'], { level: 2 })
    await addDays(['2026-08-15'], { component: 'ROTC' })
    await addDays(['2026-08-15'], { startsAt: '13:00' })
    expect(await refusedDays(['2026-12-26'])).toMatchObject({
      errors: [{ path: 'on', message: trainingDayMessages.outside('2026-12-26') }],
    })
    const other = await storeSection(own.database, { termId, component: 'ROTC' })
    expect(await refusedDays(['2026-10-03'], { sectionIds: [other.id] })).toMatchObject({
      errors: [{ path: 'sectionIds', message: trainingDayMessages.otherSection }],
    })
  })

  test('are moved, renamed and cancelled; a make-up day names the day; one with calls isn’t deleted', async () => {
    const [first, second] = await addDays(saturdays.slice(0, 2))
    const moved = await (await edit(first, { heldOn: '2026-08-09', title: 'Orientation' })).json()
    expect(moved).toMatchObject({ heldOn: '2026-08-09', title: 'Orientation', version: 2 })
    expect((await edit(first, { title: 'Late' })).status).toBe(409)
    expect((await edit(moved, { isCancelled: true })).status).toBe(200)
    const [makeUp] = await addDays(['2026-09-05'], { replacesId: first.id })
    expect(makeUp.replacesId).toBe(first.id)
    expect(await own.admin.refusal('DELETE', `/training-days/${first.id}`)).toMatchObject({
      detail: trainingDayMessages.isReplaced,
    })
    const student = await enrol('Abad')
    expect(await refusedCall({ day: first, student, state: 'present' })).toMatchObject({
      detail: trainingDayMessages.isCancelled('2026-08-09'),
    })
    await call([{ day: makeUp, student, state: 'present' }])
    expect(await own.admin.refusal('DELETE', `/training-days/${makeUp.id}`)).toMatchObject({
      detail: trainingDayMessages.hasCalls,
    })
    expect((await own.admin.call('DELETE', `/training-days/${second?.id}`)).status).toBe(204)
  })

  test('keep their date while a student is excused on it', async () => {
    const [day] = await addDays(['2026-09-12'])
    const student = await enrol('Abad')
    await call([{ day, student, state: 'excused', ground: 'duty' }])
    expect(await (await edit(day, { heldOn: '2026-09-19' })).json()).toMatchObject({
      errors: [{ path: 'heldOn', message: trainingDayMessages.hasExcuses }],
    })
    expect((await edit(day, { title: 'Drill' })).status).toBe(200)
    await call([{ day, student, state: null }])
    expect((await edit(await dayNow(day.id), { heldOn: '2026-09-19' })).status).toBe(200)
  })

  test('name who trains on them by now, so that a mail tells of a change', async () => {
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz', { sectionId: bravo })]
    await enrol('Dizon', {}, { restriction: 'blocked' })
    await enrol('Enriquez', { status: 'dropped' })
    await enrol('Flores', { level: 2, sectionId: null })
    const perez = await enrol('Perez', { sectionId: null })
    const [ofAll] = await addDays(['2026-09-12'])
    const [ofAlpha] = await addDays(['2026-09-13'], { sectionIds: [alpha] })
    await edit(ofAlpha, { isCancelled: true })
    const read = async ({ id }: { id: string }, by: Caller = own.admin) =>
      (await (await by.call('GET', `/training-days/${id}/students`)).json()).ids
    expect((await read(ofAll)).sort()).toEqual([abad, cruz, perez].sort())
    expect(await read(ofAlpha)).toEqual([abad])
    expect((await lastEntry()).action).toBe('students-listed')
    const rotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
    expect(await rotc.refusal('GET', `/training-days/${ofAll.id}/students`)).toMatchObject({ status: 404 })
  })

  test('stay as they are in a closed term, and out of sight of another component’s coordinator', async () => {
    const [day] = await addDays(['2026-08-08'])
    const student = await enrol('Abad')
    const rotc = await createStaffClient(own.server, { role: 'coordinator', components: ['ROTC'] })
    expect(await refusedDays(['2026-09-05'], {}, rotc)).toMatchObject({ status: 403 })
    expect(await refusedCall({ day, student, state: 'absent' }, rotc)).toMatchObject({ status: 404 })
    const seen = await rotc.call('GET', `/terms/${termId}/training-days?component=CWTS`)
    expect((await seen.json()).items).toEqual([])
    const read = await rotc.call('GET', `/terms/${termId}/attendance?component=CWTS&level=1`)
    expect(await read.json()).toMatchObject({ days: [], students: [], calls: [] })
    await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    const closed = { detail: termMessages.isClosed('First semester 2026-2027') }
    expect(await refusedDays(['2026-09-05'])).toMatchObject(closed)
    expect(await refusedCall({ day, student, state: 'absent' })).toMatchObject(closed)
    expect(
      await own.admin.refusal(
        'POST',
        `/training-days/${day.id}/closing`,
        { sections: [] },
        { 'If-Match': '"1"' },
      ),
    ).toMatchObject(closed)
  })
})

describe('calls', () => {
  test('of two people on one grid lose nothing: the later one of a cell holds, and each is kept', async () => {
    const [first, second] = await addDays(saturdays.slice(0, 2))
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    if (!second) throw new Error('two were added')
    const ben = await createStaffClient(own.server, { role: 'coordinator', components: ['CWTS'] })
    await Promise.all([
      call([
        { day: first, student: abad, state: 'present' },
        { day: second, student: abad, state: 'absent' },
      ]),
      call(
        [
          { day: second, student: cruz, state: 'late', minutes: 15 },
          { day: first, student: cruz, state: 'excused', ground: 'medical' },
        ],
        ben,
      ),
    ])
    expect(await marked()).toEqual(['Abad PA', 'Cruz EL'])
    await call([{ day: first, student: abad, state: 'absent' }], ben)
    expect(await marked()).toEqual(['Abad AA', 'Cruz EL'])
    await call([{ day: first, student: abad, state: null }])
    expect(await marked()).toEqual(['Abad -A', 'Cruz EL'])
    expect(await own.database.db.selectFrom('attendanceCalls').select('id').execute()).toHaveLength(6)
  })

  test('sent again are none, and leave nothing in the trail', async () => {
    const [day] = await addDays(['2026-08-08'])
    const student = await enrol('Abad')
    const cell = { day, student, state: 'present', id: createId() }
    expect(await call([cell])).toBe(1)
    await call([{ day, student, state: 'late' }])
    expect(await lastEntry()).toMatchObject({ action: 'attendance-called', affected: 1, detail: { days: 1 } })
    const entries = () => own.database.db.selectFrom('auditEvents').select('id').execute()
    const before = await entries()
    expect(await call([cell])).toBe(0)
    expect(await entries()).toEqual(before)
    expect(await marked()).toEqual(['Abad L'])
  })

  test('for who is not called yet leave the others, and say how many', async () => {
    const [day] = await addDays(['2026-08-08'])
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    await call([{ day, student: abad, state: 'absent' }])
    const calls = [abad, cruz].map((student) => ({
      ...callOf({ day, student, state: 'present' }),
      onlyEmpty: true,
    }))
    const send = async (some: object[]) =>
      (await own.admin.call('POST', `/terms/${termId}/attendance`, { calls: some })).json()
    expect(await send(calls)).toEqual({ count: 1, left: [calls[0]?.id] })
    // Sent again: Cruz has this very call.
    expect(await send(calls)).toEqual({ count: 0, left: [calls[0]?.id] })
    expect(await send(calls.slice(0, 1))).toEqual({ count: 0, left: [calls[0]?.id] })
    expect(await marked()).toEqual(['Abad A', 'Cruz P'])
    const kept = await own.database.db.selectFrom('attendanceCalls').select('id').execute()
    expect(kept).toHaveLength(2)
  })

  test('are refused for who is elsewhere or blocked, and without a ground', async () => {
    const [day] = await addDays(['2026-08-08'])
    const student = await enrol('Abad')
    const gone = { status: 404, detail: callMessages.gone }
    const strangers = [
      await enrol('Dizon', { component: 'ROTC', sectionId: null }),
      await enrol('Escudero', { level: 2, sectionId: null }),
      await enrol('Flores', {}, { restriction: 'blocked' }),
      createId(),
    ]
    for (const one of strangers)
      expect(await refusedCall({ day, student: one, state: 'late' })).toMatchObject(gone)
    for (const cell of [
      { state: 'excused' },
      { state: 'excused', ground: 'Dengue' },
      { state: 'absent', ground: 'medical' },
      { state: 'present', minutes: 5 },
      { state: 'late', minutes: 0 },
    ])
      expect(await refusedCall({ day, student, ...cell })).toMatchObject({ status: 422 })
    expect((await grid()).leftOut).toBe(1)
    expect(await marked()).toEqual(['Abad -'])
  })

  test('of a day to come are excuses alone', async () => {
    const [today, future] = await addDays(['2026-09-10', '2026-09-12'])
    if (!future) throw new Error('two were added')
    const student = await enrol('Abad')
    await call([{ day: today, student, state: 'present' }])
    for (const state of ['present', 'late', 'absent'])
      expect(await refusedCall({ day: future, student, state })).toMatchObject({
        status: 409,
        detail: trainingDayMessages.isFuture,
      })
    await call([{ day: future, student, state: 'excused', ground: 'duty' }])
    expect(await marked()).toEqual(['Abad PE'])
    await call([{ day: future, student, state: null }])
    expect(await marked()).toEqual(['Abad P-'])
  })

  test('of a term that closes meanwhile are refused', async () => {
    const [day] = await addDays(['2026-08-08'])
    const student = await enrol('Abad')
    const { db } = own.database
    const refused = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('trainingDays').select('id').where('id', '=', day.id).forUpdate().execute()
      const waiting = refusedCall({ day, student, state: 'present' })
      await untilWaiting(own.database)
      await db.updateTable('terms').set({ state: 'closed' }).execute()
      return { waiting }
    })
    expect(await refused.waiting).toMatchObject({
      detail: termMessages.isClosed('First semester 2026-2027'),
    })
    expect(await db.selectFrom('attendanceCalls').select('id').execute()).toEqual([])
  })

  test('are of who is or was in a section of the day, or on it already; a make-up day takes everybody', async () => {
    const [day] = await addDays(['2026-08-08'], { sectionIds: [alpha] })
    const [makeUp] = await addDays(['2026-09-05'], { sectionIds: [alpha], replacesId: day.id })
    const [ocampo, perez] = [
      await enrol('Ocampo', { sectionId: bravo }),
      await enrol('Perez', { sectionId: null }),
    ]
    const gone = { status: 404, detail: callMessages.gone }
    for (const student of [ocampo, perez]) {
      expect(await refusedCall({ day, student, state: 'absent' })).toMatchObject(gone)
      await call([{ day: makeUp, student, state: 'present' }])
    }
    const [abad, cruz] = [await enrol('Abad'), await enrol('Cruz')]
    await call([{ day, student: cruz, state: 'absent' }])
    await changeSection(abad, bravo)
    await own.database.db
      .updateTable('enrolments')
      .set({ sectionId: bravo })
      .where('studentId', '=', cruz)
      .execute()
    await call([{ day, student: abad, state: 'late' }])
    await call([{ day, student: cruz, state: 'present' }])
    await own.database.db
      .updateTable('trainingDays')
      .set({ cancelledSectionIds: [alpha] })
      .execute()
    const dizon = await enrol('Dizon')
    expect(await refusedCall({ day, student: dizon, state: 'absent' })).toMatchObject(gone)
    expect(await marked('section=all')).toEqual(['Abad L-', 'Cruz P-', 'Dizon --', 'Ocampo -P', 'Perez -P'])
  })

  test('stay with a student who moved, dropped or was taken back', async () => {
    const [day] = await addDays(['2026-08-08'], { sectionIds: [alpha] })
    const student = await enrol('Abad')
    await call([{ day, student, state: 'absent' }])
    await own.database.db.updateTable('enrolments').set({ sectionId: bravo }).execute()
    expect(await marked(`section=${bravo}`)).toEqual(['Abad A'])
    await own.database.db.deleteFrom('enrolments').execute()
    expect(await own.admin.refusal('DELETE', `/terms/${termId}`)).toMatchObject({
      detail: termMessages.hasStudents('First semester 2026-2027', 1),
    })
  })
})

test('a day of both levels is called, closed and counted in each of them, and a day of one level in that one', async () => {
  const second = createId()
  await storeSection(own.database, { id: second, termId, level: 2, name: 'Charlie' })
  await enrol('Abad')
  const cruz = await enrol('Cruz', { level: 2, sectionId: second })
  const [joint] = await addDays(['2026-08-08'], { level: null })
  const [ofFirst] = await addDays(['2026-08-15'])
  await call([{ day: joint, student: cruz, state: 'late' }])
  expect((await close(joint, [{ sectionId: alpha, choice: 'absent' }])).status).toBe(200)
  expect((await close(ofFirst, [{ sectionId: alpha, choice: 'absent' }])).status).toBe(200)
  const read = async (level: number): Promise<AttendanceGrid> =>
    await (
      await own.admin.call('GET', `/terms/${termId}/attendance?component=CWTS&level=${level}&section=all`)
    ).json()
  const [first, other] = [await read(1), await read(2)]
  expect(first.days.map(({ id }) => id)).toEqual([joint.id, ofFirst.id])
  expect(first.students).toMatchObject([
    { student: { lastName: 'Abad' }, standing: { days: 2, late: 0, absent: 2, inRow: 2 } },
  ])
  expect(other.days.map(({ id }) => id)).toEqual([joint.id])
  expect(other.students).toMatchObject([
    { student: { lastName: 'Cruz' }, standing: { days: 1, late: 1, absent: 0 } },
  ])
})

describe('standing', () => {
  test('is counted over the term, and lists who is near or over in all sections', async () => {
    const days = await addDays()
    const [abad, cruz, dizon] = [
      await enrol('Abad'),
      await enrol('Cruz', { sectionId: bravo }),
      await enrol('Dizon'),
    ]
    const rule = { component: 'CWTS', ...rulePresets[1]?.rule }
    expect((await own.admin.call('PUT', `/terms/${termId}/attendance-rule`, rule)).status).toBe(200)
    const states = (student: string, letters: readonly (string | null)[]) =>
      days.flatMap((day, index) => {
        const state = letters[index]
        return state ? [{ day, student, state, ...(state === 'excused' && { ground: 'duty' }) }] : []
      })
    await call([
      ...states(abad, ['absent', 'absent', 'excused', 'absent']),
      ...states(cruz, ['late', 'late', 'late', 'absent']),
      ...states(dizon, ['present', 'present', 'late']),
    ])
    const { students } = await grid(`section=${alpha}`)
    expect(students.map(({ standing }) => standing)).toEqual([
      { days: 4, present: 0, late: 0, absent: 3, excused: 1, hours: 0, inRow: 3, level: 'over', left: 0 },
      { days: 3, present: 2, late: 1, absent: 0, excused: 0, hours: 12, inRow: 0, level: 'fine', left: 2 },
    ])
    expect(await marked('standing=over')).toEqual(['Abad AAEA'])
    expect((await grid('standing=near')).students).toMatchObject([
      { section: 'Bravo', standing: { level: 'near' } },
    ])
  })

  test('counts a make-up day only for who attends it', async () => {
    const [first] = await addDays()
    await addDays(['2026-10-03'], { replacesId: first.id, hours: 12 })
    const student = await enrol('Abad')
    await call([{ day: first, student, state: 'absent' }])
    const levelBy = async (limits: object) => {
      const rule = { component: 'CWTS', ...rulePresets[3]?.rule, ...limits }
      expect((await own.admin.call('PUT', `/terms/${termId}/attendance-rule`, rule)).status).toBe(200)
      return (await grid()).students[0]?.standing.level
    }
    // One of four days is more than 20 %, one of five is not.
    expect(await levelBy({ percent: 20 })).toBe('over')
    // An absence of the next four hours makes eight.
    expect(await levelBy({ hoursMissed: 12 })).toBe('fine')
  })

  test('follows the rule of the term before, until the term has its own', async () => {
    const rule = { component: 'CWTS', ...rulePresets[2]?.rule }
    await own.admin.call('PUT', `/terms/${termId}/attendance-rule`, rule)
    expect(await lastEntry()).toMatchObject({ action: 'attendance-rule-changed' })
    const { id } = await storeTerm(own.database, { semester: 2, state: 'planned' })
    const read = async (term: string, component: string): Promise<TrainingDayList> =>
      await (await own.admin.call('GET', `/terms/${term}/training-days?component=${component}`)).json()
    expect((await read(id ?? '', 'CWTS')).rule).toEqual(rule)
    expect((await read(id ?? '', 'ROTC')).rule).toMatchObject(rulePresets[0]?.rule ?? {})
  })

  test('is not changed over what somebody else set meanwhile', async () => {
    const set = async (rule: object) => {
      const answer = await own.admin.call('PUT', `/terms/${termId}/attendance-rule`, rule)
      return { status: answer.status, ...(answer.status === 409 && { detail: (await answer.json()).detail }) }
    }
    const [first, second, third] = rulePresets.map(({ rule }) => ({ component: 'CWTS', ...rule }))
    expect(await set(first ?? {})).toEqual({ status: 200 })
    expect(await set({ ...second, seen: first })).toEqual({ status: 200 })
    expect(await set({ ...third, seen: first })).toEqual({ status: 409, detail: ruleMessages.changed })
    // What holds already is none, so that a request can be sent again.
    expect(await set({ ...second, seen: first })).toEqual({ status: 200 })
  })

  test('follows the rule of the latest semester up to the term’s, in whatever order they were written', async () => {
    const terms = [
      { academicYear: '2025-2026', semester: 2, absences: 2 },
      { academicYear: '2026-2027', semester: 2, absences: 4 },
      { academicYear: '2027-2028', semester: 1, absences: 6 },
    ] as const
    const ids: string[] = []
    for (const { absences: _own, ...term } of terms)
      ids.push((await storeTerm(own.database, { ...term, state: 'planned' })).id ?? '')
    const [earlier = '', second = '', later = ''] = ids
    const { id: summer = '' } = await storeTerm(own.database, { semester: 3, state: 'planned' })
    const rules: [term: string, absences: number][] = [
      [earlier, 2],
      [termId, 3],
      [second, 4],
      [later, 6],
    ]
    const absencesOf = async (term: string) =>
      (await (await own.admin.call('GET', `/terms/${term}/training-days?component=CWTS`)).json()).rule
        .absences
    for (const written of [rules, rules.toReversed()]) {
      await own.database.db.deleteFrom('attendanceRules').execute()
      for (const [term, absences] of written) {
        const rule = { component: 'CWTS', ...rulePresets[0]?.rule, absences }
        expect((await own.admin.call('PUT', `/terms/${term}/attendance-rule`, rule)).status).toBe(200)
      }
      const read: number[] = []
      for (const term of [earlier, termId, second, summer, later]) read.push(await absencesOf(term))
      expect(read).toEqual([2, 3, 4, 4, 6])
    }
  })
})

describe('a merge', () => {
  test('keeps the kept record’s row and takes the other’s of other days; its undo gives both back', async () => {
    const days = await addDays(saturdays.slice(0, 3))
    const [first, second, third] = days
    if (!second || !third) throw new Error('three were added')
    const kept = await enrol('Abad')
    const { id: dropped } = await storeStudent(own.database, {
      lastName: 'Abad',
      firstName: 'Ana',
      nstpComponent: 'CWTS',
    })
    const enrolment = await storeEnrolment(own.database, { termId, studentId: dropped })
    await call([
      { day: first, student: kept, state: 'present' },
      { day: first, student: dropped, state: 'absent' },
      { day: second, student: dropped, state: 'late' },
      { day: third, student: dropped, state: 'absent' },
    ])
    const ofDropped = own.database.db.updateTable('enrolments').where('id', '=', enrolment.id)
    await ofDropped.set({ status: 'dropped' }).execute()
    const rows = async () =>
      (await own.database.db.selectFrom('attendance').select(['studentId', 'dayId', 'state']).execute())
        .map(({ studentId, dayId, state }) =>
          [studentId === kept ? 'kept' : 'dropped', days.findIndex(({ id }) => id === dayId), state].join(
            ' ',
          ),
        )
        .sort()
    const before = await rows()
    const merged = await own.admin.call('POST', '/students/merge', {
      ...{ keepId: kept, keepVersion: 1, dropId: dropped, dropVersion: 1, take: {} },
    })
    expect(merged.status).toBe(200)
    expect(await rows()).toEqual(['kept 0 present', 'kept 1 late', 'kept 2 absent'])
    const calls = () => own.database.db.selectFrom('attendanceCalls').select('studentId').execute()
    expect(new Set((await calls()).map(({ studentId }) => studentId))).toEqual(new Set([kept]))
    expect((await own.admin.call('POST', `/students/${dropped}/restore`)).status).toBeLessThan(300)
    expect(await rows()).toEqual(before)
    expect((await calls()).filter(({ studentId }) => studentId === dropped)).toHaveLength(3)
  })
})

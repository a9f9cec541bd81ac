import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { describe, expect, test } from 'vitest'
import { createAttendanceRepository } from '#server/features/attendance/repository.ts'
import { createTrainingDaysRepository } from '#server/features/attendance/training-day-repository.ts'
import { readHeld } from '#server/features/privacy/repository.ts'
import { createTermsRepository } from '#server/features/terms/repository.ts'
import { officeItself } from '#server/lib/access.ts'
import type { TrainingDay } from '#shared/attendance/attendance-response.ts'
import { trainingDayMessages } from '#shared/attendance/training-days.ts'
import type { OfficeRequest, StudentRequest } from '#shared/requests/requests-response.ts'
import { requestMessages } from '#shared/requests/student-requests.ts'
import { termMessages } from '#shared/terms/terms.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { startAttendedTerm } from '#tests/setup/attended-term.ts'
import { openEvents } from '#tests/setup/event-stream.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { createStudentClient } from '#tests/setup/student-session.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'
import { createStudentRequestsRepository } from '../repository.ts'

// 10 September 2026 in Manila.
const now = new Date('2026-09-10T09:00:00+08:00')
const app = startStudentsServer({ now })
const { termId, alpha, bravo, addDays } = startAttendedTerm(app)

async function addDay(heldOn: string, overrides: object = {}): Promise<TrainingDay> {
  const [day] = await addDays([heldOn], { title: 'Drill', startsAt: '', ...overrides })
  return day
}

async function enter() {
  const student = await storeStudent(app.database, { nstpComponent: 'CWTS', religion: 'Roman Catholic' })
  await storeEnrolment(app.database, { termId, sectionId: alpha, studentId: student.id })
  const client = await createStudentClient(app.server, student.id, now)
  const bodyOf = (day: TrainingDay, given: object = {}) => ({
    ...{ kind: 'absence', dayId: day.id, ground: 'family', reason: 'A wedding in Baguio' },
    ...given,
  })
  const ask = async (day: TrainingDay): Promise<string> => {
    const answer = await client.call('POST', '/my/requests', bodyOf(day))
    expect(answer.status, await answer.clone().text()).toBe(201)
    return (await answer.json()).id
  }
  const refused = (day: TrainingDay, given?: object) =>
    client.refusal('POST', '/my/requests', bodyOf(day, given))
  const list = async (): Promise<StudentRequest[]> =>
    (await (await client.call('GET', '/my/requests')).json()).items
  return { ...client, student, ask, refused, list }
}

type Office = Pick<typeof app.admin, 'call' | 'refusal'>

async function read(id: string, by: Office = app.admin): Promise<OfficeRequest> {
  return await (await by.call('GET', `/requests/${id}`)).json()
}
async function decide(id: string, decision: object = { accept: 'all' }, by: Office = app.admin) {
  const { version, recordVersion } = await read(id, by)
  return await by.call('POST', `/requests/${id}/decide`, { version, recordVersion, ...decision })
}
async function refusal(id: string, decision?: object, by?: Office) {
  const answer = await decide(id, decision, by)
  return { status: answer.status, ...(await answer.json()) }
}

const callOf = (day: TrainingDay, studentId: string, state: string, by: Office = app.admin) =>
  by.call('POST', `/terms/${termId}/attendance`, {
    calls: [{ id: createId(), dayId: day.id, studentId, state }],
  })

const rowsOf = (studentId: string) =>
  app.database.db
    .selectFrom('attendance')
    .select(['dayId', 'state', 'ground', 'source', 'version', 'byId'])
    .where('studentId', '=', studentId)
    .execute()

describe('asking', () => {
  test('names a day of absence, one not called yet or one to come, a ground of the list and a reason; once a day', async () => {
    const [missed, attended, uncalled, next] = [
      await addDay('2026-08-22'),
      await addDay('2026-08-29'),
      await addDay('2026-09-05'),
      await addDay('2026-09-12'),
    ]
    const ofBravo = await addDay('2026-09-13', { sectionIds: [bravo] })
    const { ask, refused, list, student } = await enter()
    await callOf(missed, student.id, 'absent')
    await callOf(attended, student.id, 'present')
    for (const day of [attended, ofBravo]) {
      expect(await refused(day)).toMatchObject({
        status: 422,
        errors: [{ path: 'dayId', message: requestMessages.day }],
      })
    }
    expect((await refused(next, { dayId: null, ground: '', reason: '' })).errors).toEqual([
      { path: 'dayId', message: requestMessages.day },
      { path: 'ground', message: requestMessages.ground },
      { path: 'reason', message: requestMessages.reason },
    ])
    expect(await refused(next, { ground: 'influenza' })).toMatchObject({ errors: [{ path: 'ground' }] })
    expect(await refused(next, { kind: 'copy' })).toMatchObject({
      errors: [
        { path: 'dayId', message: requestMessages.noDay },
        { path: 'ground', message: requestMessages.noDay },
      ],
    })
    await ask(missed)
    await ask(next)
    expect(await refused(next)).toMatchObject({ errors: [{ path: 'dayId', message: requestMessages.same }] })
    await ask(uncalled)
    expect(await list()).toMatchObject([
      { absence: { dayId: uncalled.id, called: null } },
      {
        kind: 'absence',
        absence: { dayId: next.id, heldOn: '2026-09-12', title: 'Drill', ground: 'family', called: null },
      },
      { absence: { dayId: missed.id, called: 'absent' }, reason: 'A wedding in Baguio' },
    ])
    // Nobody asks for a day of which the office would then know nothing.
    expect(await app.admin.refusal('DELETE', `/training-days/${next.id}`)).toMatchObject({
      status: 409,
      detail: trainingDayMessages.hasRequests,
    })
  })
})

test('a day keeps its date while a student asks to be excused on it', async () => {
  const day = await addDay('2026-09-12')
  const { ask } = await enter()
  const id = await ask(day)
  const move = () =>
    app.admin.call(
      'PATCH',
      `/training-days/${day.id}`,
      { heldOn: '2026-09-19', title: '', startsAt: '', hours: 4, isCancelled: false },
      { 'If-Match': `"${day.version}"` },
    )
  expect(await (await move()).json()).toMatchObject({
    status: 422,
    errors: [{ path: 'heldOn', message: trainingDayMessages.hasExcuses }],
  })
  expect((await decide(id, { accept: [], answer: 'Please come.' })).status).toBe(200)
  expect((await move()).status).toBe(200)
})

test('asking for a day that is deleted at that moment is refused with a sentence', async () => {
  const day = await addDay('2026-09-12')
  const { refused, list } = await enter()
  const asking = await app.database.transact(async (tx) => {
    const days = createTrainingDaysRepository(tx, officeItself)
    await days.lock([day.id])
    await days.delete(day.id)
    const refusal = refused(day)
    await untilWaiting(app.database)
    return { refusal }
  })
  expect(await asking.refusal).toMatchObject({
    status: 422,
    errors: [{ path: 'dayId', message: requestMessages.day }],
  })
  expect(await list()).toEqual([])
})

test('asking while the term is deleted is refused with a sentence, and so is deleting it while somebody asks', async () => {
  const day = await addDay('2026-09-12')
  const { refused, student, ask } = await enter()
  const { db, transact } = app.database
  const asking = await transact(async (tx) => {
    const terms = createTermsRepository(tx)
    await tx.deleteFrom('enrolments').execute()
    await terms.delete(termId)
    const refusal = refused(day)
    await untilWaiting(app.database)
    return { refusal }
  })
  expect(await asking.refusal).toMatchObject({
    status: 422,
    errors: [{ path: 'dayId', message: requestMessages.day }],
  })

  await storeTerm(app.database, { id: termId })
  await storeSection(app.database, { id: alpha, termId })
  await storeEnrolment(app.database, { termId, sectionId: alpha, studentId: student.id })
  const again = await addDay('2026-09-12')
  const id = await ask(again)
  const request = await db.selectFrom('studentRequests').selectAll().executeTakeFirstOrThrow()
  await db.deleteFrom('studentRequests').where('id', '=', id).execute()
  // The placing is taken back, after the student read which days there are.
  await db.deleteFrom('enrolments').execute()
  const deleting = await transact(async (tx) => {
    await createTrainingDaysRepository(tx, officeItself).lock([again.id])
    const refusal = app.admin.refusal('DELETE', `/terms/${termId}`)
    await untilWaiting(app.database)
    await createStudentRequestsRepository(tx).add(request)
    return { refusal }
  })
  expect(await deleting.refusal).toMatchObject({
    status: 409,
    detail: termMessages.hasStudents('First semester 2026-2027', 1),
  })
})

test('of two who ask for one day, or grant one request at once, one is refused', async () => {
  const day = await addDay('2026-09-12')
  const { call, list, student } = await enter()
  const body = { kind: 'absence', dayId: day.id, ground: 'family', reason: 'A wedding' }
  const asked = await Promise.all([1, 2].map(() => call('POST', '/my/requests', body)))
  expect(asked.map(({ status }) => status).sort()).toEqual([201, 422])
  const [request] = await list()
  const decided = await Promise.all([1, 2].map(() => decide(request?.id ?? '')))
  expect(decided.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await rowsOf(student.id)).toMatchObject([{ state: 'excused', version: 1 }])
  // The desk takes it back: it can be asked again, and the next grant is a call of its own.
  await app.admin.call('POST', `/terms/${termId}/attendance`, {
    calls: [{ id: createId(), dayId: day.id, studentId: student.id, state: null }],
  })
  const again: { id: string } = await (await call('POST', '/my/requests', body)).json()
  expect((await decide(again.id)).status).toBe(200)
  expect(await rowsOf(student.id)).toMatchObject([{ state: 'excused', version: 1 }])
})

describe('deciding', () => {
  test('holds up neither calls nor the closing of the day, which hold it and share its students', async () => {
    const day = await addDay('2026-09-10')
    const { ask, student } = await enter()
    const other = await enter()
    const id = await ask(day)
    const { deciding } = await app.database.transact(async (tx) => {
      const [row] = await createTrainingDaysRepository(tx, officeItself).lock([day.id])
      if (!row) throw new Error('no day')
      // It has the student, and waits for the day.
      const deciding = decide(id)
      await untilWaiting(app.database)
      await sql`set local lock_timeout = '1s'`.execute(tx)
      const attendance = createAttendanceRepository(tx, officeItself, 'Asia/Manila')
      const sent = {
        dayId: day.id,
        studentId: student.id,
        state: 'absent',
        minutes: null,
        ground: '',
      } as const
      const calls = [{ ...sent, id: createId(), onlyEmpty: false }]
      const from = { at: now, byId: null, source: 'desk' } as const
      expect(await attendance.countStrangers(calls)).toBe(0)
      await attendance.addCalls(termId, calls, from)
      await attendance.apply(calls, from)
      expect(await attendance.writeAbsent(row, { without: [], withLater: false }, from)).toBe(1)
      return { deciding }
    })
    expect((await deciding).status).toBe(200)
    expect(await rowsOf(student.id)).toMatchObject([{ state: 'excused', version: 2 }])
    expect(await rowsOf(other.student.id)).toMatchObject([{ state: 'absent' }])
  })

  test('is refused for a day after a drop or a change of component, and granted for one before it', async () => {
    const [missed, next] = [await addDay('2026-09-05'), await addDay('2026-09-12')]
    for (const leave of ['dropped', 'moved'] as const) {
      const { ask, student } = await enter()
      await callOf(missed, student.id, 'absent')
      const [before, after] = [await ask(missed), await ask(next)]
      const enrolment = await app.database.db
        .selectFrom('enrolments')
        .select(['id', 'version'])
        .where('studentId', '=', student.id)
        .executeTakeFirstOrThrow()
      const answer = await (leave === 'dropped'
        ? app.admin.call('POST', '/enrolments/drop', { ids: [enrolment.id], on: '2026-09-10', reason: '' })
        : app.admin.call(
            'POST',
            `/enrolments/${enrolment.id}/move`,
            { component: 'ROTC', level: 1, sectionId: null, on: '2026-09-10', reason: '' },
            { 'If-Match': `"${enrolment.version}"` },
          ))
      expect(answer.status, await answer.clone().text()).toBe(200)
      expect(await refusal(after), leave).toMatchObject({ status: 404, detail: requestMessages.notOfDay })
      expect((await decide(before)).status).toBe(200)
      expect(await rowsOf(student.id)).toMatchObject([{ dayId: missed.id, state: 'excused' }])
    }
  })

  test('granted, it is a call of the desk: the row, the call and its entry in the trail', async () => {
    const [missed, next] = [await addDay('2026-09-05'), await addDay('2026-09-12')]
    const { ask, list, call, student } = await enter()
    await callOf(missed, student.id, 'absent')
    const ids = [await ask(missed), await ask(next)]
    await app.trail.clear()
    const desk = await openEvents(app.server.url, await app.server.signIn())
    await desk.waitFor('event: hello')
    for (const id of ids) expect((await decide(id)).status).toBe(200)
    await desk.waitFor('data: attendance')
    await desk.close()
    const excused = { state: 'excused', ground: 'family', source: 'desk', byId: expect.any(String) }
    expect(await rowsOf(student.id)).toEqual([
      { dayId: missed.id, ...excused, version: 2 },
      { dayId: next.id, ...excused, version: 1 },
    ])
    const calls = await app.database.db.selectFrom('attendanceCalls').select('id').orderBy('at').execute()
    expect(calls.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    expect((await app.trail.entries()).map(({ action }) => action)).toEqual([
      ...['student-viewed', 'attendance-called', 'request-decided', 'attendance-called', 'request-decided'],
    ])
    expect(await list()).toMatchObject([
      { state: 'granted', isPart: false, absence: { called: 'excused' } },
      { state: 'granted', isPart: false },
    ])
    const page = await (await call('GET', '/my')).json()
    expect(page.attendance).toMatchObject({ standing: { excused: 2, absent: 0 }, excusable: [] })
    const held = JSON.stringify(
      await readHeld(app.database.db, { id: student.id, reference: student.reference }),
    )
    expect(held).toContain('A wedding in Baguio')
    expect(held).toContain('2026-09-05, CWTS training')
    expect(held).toMatch(/training day.{1,6}2026-09-12/)
  })

  test('refused, it needs a sentence and leaves the roll', async () => {
    const { ask, list, student } = await enter()
    const id = await ask(await addDay('2026-09-12'))
    expect(await refusal(id, { accept: [] })).toMatchObject({ status: 422, errors: [{ path: 'answer' }] })
    expect((await decide(id, { accept: [], answer: 'Ask your adviser.' })).status).toBe(200)
    expect(await list()).toMatchObject([{ state: 'refused', answer: 'Ask your adviser.' }])
    expect(await rowsOf(student.id)).toEqual([])
  })

  test('of a day that was cancelled for the section alone, it is struck out and refused, unless it was called', async () => {
    const [cancelled, called] = [await addDay('2026-09-05'), await addDay('2026-09-06')]
    const ofOther = await addDay('2026-09-08')
    const { ask, list, student } = await enter()
    await callOf(called, student.id, 'absent')
    const ids = [await ask(cancelled), await ask(called), await ask(ofOther)]
    const { db } = app.database
    for (const [sectionId, days] of [
      [alpha, [cancelled.id, called.id]],
      [bravo, [ofOther.id]],
    ] as const) {
      const closed = { state: 'closed' as const, closedAt: now, cancelledSectionIds: [sectionId] }
      await db.updateTable('trainingDays').set(closed).where('id', 'in', days).execute()
    }
    const isCancelled = async (id = '') => (await read(id)).absence?.isCancelled
    expect(await Promise.all(ids.map(isCancelled))).toEqual([true, false, false])
    expect((await list()).map(({ absence }) => absence?.isCancelled)).toEqual([false, false, true])
    expect(await refusal(ids[0] ?? '')).toMatchObject({ status: 404, detail: requestMessages.notOfDay })
  })

  test('is refused with a sentence once the day, the section or the term is another', async () => {
    const days = [
      await addDay('2026-09-12'),
      await addDay('2026-09-19', { sectionIds: [alpha] }),
      await addDay('2026-09-26'),
    ]
    const { ask, student } = await enter()
    const [cancelled = '', left = '', closed = ''] = await Promise.all(days.map(ask))
    const { db } = app.database
    await db
      .updateTable('trainingDays')
      .set({ state: 'cancelled' })
      .where('id', '=', days[0]?.id ?? '')
      .execute()
    expect((await read(cancelled)).absence).toMatchObject({ isCancelled: true })
    expect((await read(left)).absence).toMatchObject({ isCancelled: false })
    expect(await refusal(cancelled)).toMatchObject({
      status: 409,
      detail: trainingDayMessages.isCancelled('2026-09-12'),
    })
    await db.updateTable('enrolments').set({ sectionId: bravo }).execute()
    expect(await refusal(left)).toMatchObject({ status: 404, detail: requestMessages.notOfDay })
    await db.updateTable('terms').set({ state: 'closed' }).execute()
    expect(await refusal(closed)).toMatchObject({
      status: 409,
      detail: termMessages.isClosed('First semester 2026-2027'),
    })
    expect(await rowsOf(student.id)).toEqual([])
    expect((await decide(closed, { accept: [], answer: 'The term is over.' })).status).toBe(200)
  })

  test('granted after a merge, which then can’t be undone: the excuse is on the kept record’s roll', async () => {
    const days = [await addDay('2026-09-12'), await addDay('2026-09-19')]
    const [kept, dropped] = [await storeStudent(app.database, { nstpComponent: 'CWTS' }), await enter()]
    const [before = '', after = ''] = await Promise.all(days.map(dropped.ask))
    expect((await decide(before)).status).toBe(200)
    const merge = async () => {
      const { rows } = await sql<{ id: string; version: number }>`
        select id, version from students where id in (${kept.id}, ${dropped.student.id})`.execute(
        app.database.db,
      )
      const versions = new Map(rows.map(({ id, version }) => [id, version]))
      const answer = await app.admin.call('POST', '/students/merge', {
        ...{ keepId: kept.id, keepVersion: versions.get(kept.id), take: {} },
        ...{ dropId: dropped.student.id, dropVersion: versions.get(dropped.student.id) },
      })
      expect(answer.status, await answer.clone().text()).toBe(200)
    }
    const undo = () => app.admin.call('POST', `/students/${dropped.student.id}/restore`)
    await merge()
    expect((await undo()).ok).toBe(true)
    await merge()
    expect((await decide(after)).status).toBe(200)
    expect((await undo()).status).toBe(409)
    expect(await rowsOf(kept.id)).toMatchObject([{ state: 'excused' }, { state: 'excused' }])
  })

  test('of a blocked student is refused with the block', async () => {
    const { ask, student } = await enter()
    const id = await ask(await addDay('2026-09-12'))
    await app.database.db
      .updateTable('students')
      .set({ restriction: 'blocked' })
      .where('id', '=', student.id)
      .execute()
    expect(await refusal(id)).toMatchObject({ status: 409, detail: requestMessages.isBlocked })
    expect((await decide(id, { accept: [], answer: 'Your record is blocked.' })).status).toBe(200)
  })

  test('is for who excuses at the desk: an assistant reads neither ground nor reason', async () => {
    const { ask } = await enter()
    const id = await ask(await addDay('2026-09-12'))
    const assistant = await createStaffClient(app.server, { role: 'assistant', components: [] })
    const hidden = { absence: null, reason: '', hindrance: requestMessages.excuse }
    expect(await read(id, assistant)).toMatchObject(hidden)
    const refusedOne = await ask(await addDay('2026-09-19'))
    await decide(refusedOne, { accept: [], answer: 'A wedding is no ground.' })
    expect(await read(refusedOne, assistant)).toMatchObject({ ...hidden, answer: '' })
    const listed = await (await assistant.call('GET', '/requests')).json()
    expect(JSON.stringify(listed)).not.toMatch(/family|wedding/)
    expect(await refusal(id, { accept: 'all' }, assistant)).toMatchObject({
      status: 403,
      detail: requestMessages.excuse,
    })
    const other = await createStaffClient(app.server, { role: 'coordinator', components: ['ROTC'] })
    expect((await other.call('GET', `/requests/${id}`)).status).toBe(404)
    const counted = async (by: Office) => (await (await by.call('GET', '/requests/counts')).json()).open
    expect([await counted(app.admin), await counted(assistant), await counted(other)]).toEqual([1, 0, 0])
    const coordinator = await createStaffClient(app.server, { role: 'coordinator', components: ['CWTS'] })
    expect(await read(id, coordinator)).toMatchObject({
      hindrance: '',
      reason: 'A wedding in Baguio',
      absence: { ground: 'family', called: null },
    })
    expect((await decide(id, { accept: 'all' }, coordinator)).status).toBe(200)
  })
})

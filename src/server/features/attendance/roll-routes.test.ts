import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPeopleRepository } from '#server/features/people/repository.ts'
import { rollMessages } from '#shared/attendance/calls.ts'
import type { Roll } from '#shared/attendance/roll-response.ts'
import { problemSentences } from '#shared/problem.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { startAttendedTerm } from '#tests/setup/attended-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { untilWaiting } from '#tests/setup/waiting-statements.ts'

const now = new Date('2026-09-12T09:00:00+08:00')
const own = startStudentsServer({ now })

const { termId, alpha, bravo } = startAttendedTerm(own)

let facilitator: Awaited<ReturnType<typeof createStaffClient>>

beforeEach(async () => {
  facilitator = await createStaffClient(own.server, { role: 'facilitator', components: [] })
  await give([alpha])
})

const give = (sectionIds: readonly string[]) =>
  own.database.db
    .insertInto('adminSections')
    .values(sectionIds.map((sectionId) => ({ adminId: facilitator.id, sectionId })))
    .execute()

const allowPhones = () =>
  own.database.db
    .updateTable('admins')
    .set({ seesPhoneNumbers: true })
    .where('id', '=', facilitator.id)
    .execute()

async function enrol(lastName: string, sectionId = alpha): Promise<string> {
  const { id } = await storeStudent(own.database, {
    ...{ lastName, firstName: 'Ana', nstpComponent: 'CWTS', contactNumber: '0917 555 1001' },
    ...{ emergencyContactName: 'Nena', emergencyContactNumber: '0917 555 2002' },
  })
  await storeEnrolment(own.database, { termId, sectionId, studentId: id })
  return id
}

async function addDay(heldOn: string, change: object = {}): Promise<string> {
  const id = createId()
  const day = { id, termId, component: 'CWTS', heldOn, hours: 4, level: null } as const
  await own.database.db
    .insertInto('trainingDays')
    .values({ ...day, ...change })
    .execute()
  return id
}

async function read(section = alpha): Promise<Roll> {
  const answer = await facilitator.call('GET', `/roll/${section}`)
  expect(answer.status).toBe(200)
  return await answer.json()
}

const callOf = (dayId: string, studentId: string, state: string | null, change: object = {}) => ({
  ...{ id: createId(), dayId, studentId, state },
  ...change,
})

/** Over nothing, if the call doesn't say over what it is made. */
const rollOf = (calls: readonly object[], account = facilitator.id) => ({
  account,
  calls: calls.map((one) => ({ seen: null, ...one })),
})

async function call(calls: readonly object[], section = alpha) {
  const answer = await facilitator.call('POST', `/roll/${section}`, rollOf(calls))
  expect(answer.status).toBe(200)
  const { count, left } = await answer.json()
  return { count, left: left.length }
}

const refusedCall = (one: object, section = alpha) =>
  facilitator.refusal('POST', `/roll/${section}`, rollOf([one]))

const notOwn = { status: 404, code: 'not_found', detail: rollMessages.section }
const gone = { status: 404, code: 'not_found', detail: rollMessages.gone }
const leftOut = { count: 0, left: 1 }

describe('the roll of a facilitator', () => {
  test('has the days until today that are open, and of each student name, number, course and state', async () => {
    const student = await enrol('Abad')
    await enrol('Bravo', bravo)
    const today = await addDay('2026-09-12')
    const open = await addDay('2026-09-05')
    await addDay('2026-08-29', { state: 'closed', closedAt: new Date() })
    await addDay('2026-09-06', { state: 'cancelled' })
    await addDay('2026-09-19')
    await addDay('2026-09-11', { sectionIds: [bravo] })
    await addDay('2026-09-10', { component: 'LTS' })
    const makeUp = await addDay('2026-09-04', { sectionIds: [bravo], replacesId: open })
    expect(await call([callOf(today, student, 'late', { minutes: 10 })])).toEqual({ count: 1, left: 0 })
    const roll = await read()
    expect(roll.section).toEqual({ id: alpha, component: 'CWTS', level: 1, label: 'Alpha' })
    const stands = { isMakeUp: false, isClosed: false, isToday: false }
    expect(roll.days).toMatchObject([
      { id: makeUp, ...stands, isMakeUp: true },
      { id: open, ...stands },
      { id: today, ...stands, isToday: true },
    ])
    expect(roll.students.map((one) => Object.keys(one).sort())).toEqual([
      ['course', 'extensionName', 'firstName', 'id', 'lastName', 'middleName', 'studentId'],
    ])
    expect(roll.students).toMatchObject([{ id: student, lastName: 'Abad' }])
    expect(roll.calls).toEqual([{ dayId: today, studentId: student, state: 'late', minutes: 10, version: 1 }])
    expect(await own.trail.entries()).toMatchObject([
      {
        ...{ action: 'attendance-called', adminId: facilitator.id },
        detail: { days: 1, source: 'roll', section: 'Alpha' },
      },
    ])
  })

  test('is in the trail once an hour for each section', async () => {
    await give([bravo])
    for (const section of [alpha, bravo, alpha]) await read(section)
    const listed = (await own.trail.of('students-listed')).filter(({ adminId }) => adminId === facilitator.id)
    const detail = { list: 'roll', component: 'CWTS' }
    expect(listed).toMatchObject([
      { subject: 'Alpha', detail: { ...detail, section: 'Alpha' } },
      { subject: 'Bravo', detail: { ...detail, section: 'Bravo' } },
    ])
  })

  test('lists the own sections of the open term, and none without any', async () => {
    const list = async () => await (await facilitator.call('GET', '/roll')).json()
    expect(await list()).toEqual({
      items: [{ id: alpha, component: 'CWTS', level: 1, label: 'Alpha' }],
      seesPhoneNumbers: false,
    })
    await own.database.db.deleteFrom('adminSections').execute()
    expect((await list()).items).toEqual([])
  })

  test('leaves out blocked records, and counts them', async () => {
    const blocked = await enrol('Abad')
    const today = await addDay('2026-09-12')
    await own.database.db
      .updateTable('students')
      .set({ restriction: 'blocked' })
      .where('id', '=', blocked)
      .execute()
    expect(await read()).toMatchObject({ students: [], leftOut: 1 })
    expect(await call([callOf(today, blocked, 'present')])).toEqual(leftOut)
  })

  test('is of no other section, and of none once the term is closed or the section is taken away', async () => {
    const [mine, other] = [await enrol('Abad'), await enrol('Bravo', bravo)]
    const today = await addDay('2026-09-12')
    const ofOther = await addDay('2026-09-12', { sectionIds: [bravo], startsAt: '13:00' })
    expect(await facilitator.refusal('GET', `/roll/${bravo}`)).toEqual(notOwn)
    expect(await refusedCall(callOf(today, other, 'present'), bravo)).toEqual(notOwn)
    expect(await call([callOf(today, other, 'present')])).toEqual(leftOut)
    expect(await call([callOf(ofOther, mine, 'present')])).toEqual(leftOut)
    await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    expect(await facilitator.refusal('GET', `/roll/${alpha}`)).toEqual(notOwn)
    expect(await refusedCall(callOf(today, mine, 'present'))).toEqual(notOwn)
    await own.database.db.updateTable('terms').set({ state: 'open' }).execute()
    await own.database.db.deleteFrom('adminSections').execute()
    expect(await refusedCall(callOf(today, mine, 'present'))).toEqual(notOwn)
    expect(await own.database.db.selectFrom('attendanceCalls').selectAll().execute()).toEqual([])
  })

  test('calls nobody excused, and leaves who is excused', async () => {
    const [abad, blas] = [await enrol('Abad'), await enrol('Blas')]
    const today = await addDay('2026-09-12')
    expect(await refusedCall(callOf(today, abad, 'excused', { ground: 'medical' }))).toMatchObject({
      status: 422,
    })
    const byOffice = callOf(today, abad, 'excused', { ground: 'medical' })
    const excused = await own.admin.call('POST', `/terms/${termId}/attendance`, { calls: [byOffice] })
    expect(excused.status).toBe(200)
    const both = [callOf(today, abad, 'absent'), callOf(today, blas, 'absent')]
    expect(await call(both)).toEqual({ count: 1, left: 1 })
    expect(await call([callOf(today, abad, null)])).toEqual({ count: 0, left: 1 })
    expect((await read()).calls).toEqual([
      { dayId: today, studentId: abad, state: 'excused', minutes: null, version: 1 },
      { dayId: today, studentId: blas, state: 'absent', minutes: null, version: 1 },
    ])
    const sources = await own.database.db.selectFrom('attendance').select(['studentId', 'source']).execute()
    expect(new Map(sources.map(({ studentId, source }) => [studentId, source]))).toEqual(
      new Map([
        [abad, 'desk'],
        [blas, 'roll'],
      ]),
    )
  })

  test('takes no call that doesn’t say over what it is made', async () => {
    const one = callOf(await addDay('2026-09-12'), await enrol('Abad'), 'present', { seen: undefined })
    expect(await refusedCall(one)).toMatchObject({ status: 422 })
  })

  test('takes a call twice as one, and none of a day to come', async () => {
    const student = await enrol('Abad')
    const today = await addDay('2026-09-12')
    const tomorrow = await addDay('2026-09-13')
    const one = callOf(today, student, 'present')
    expect(await call([one])).toEqual({ count: 1, left: 0 })
    expect(await call([one])).toEqual({ count: 0, left: 0 })
    expect(await call([callOf(tomorrow, student, 'present')])).toEqual(leftOut)
  })

  test('on a closed day of today is corrected, not taken back; an earlier closed day takes nothing', async () => {
    const student = await enrol('Abad')
    const [today, earlier] = [await addDay('2026-09-12'), await addDay('2026-09-05')]
    await call([callOf(today, student, 'present'), callOf(earlier, student, 'present')])
    await own.database.db
      .updateTable('trainingDays')
      .set({ state: 'closed', closedAt: new Date() })
      .where('id', 'in', [today, earlier])
      .execute()
    expect((await read()).days).toMatchObject([{ id: today, isClosed: true, isToday: true }])
    expect(await call([callOf(today, student, 'late')])).toEqual({ count: 1, left: 0 })
    expect(await call([callOf(today, student, null)])).toEqual(leftOut)
    for (const state of ['late', null]) expect(await call([callOf(earlier, student, state)])).toEqual(leftOut)
    const stored = await own.database.db.selectFrom('attendance').select(['dayId', 'state']).execute()
    expect(new Map(stored.map(({ dayId, state }) => [dayId, state]))).toEqual(
      new Map([
        [today, 'late'],
        [earlier, 'present'],
      ]),
    )
  })

  test('on a day that the office closed, but left open for some sections, is closed for the others', async () => {
    await give([bravo])
    const [abad, blas] = [await enrol('Abad'), await enrol('Blas', bravo)]
    const partly = { closedAt: new Date(), openSectionIds: [bravo, null] }
    const [today, earlier] = [await addDay('2026-09-12', partly), await addDay('2026-09-05', partly)]
    const daysOf = async (section: string) =>
      (await read(section)).days.map((day) => ({ id: day.id, isClosed: day.isClosed }))
    expect(await daysOf(alpha)).toEqual([{ id: today, isClosed: true }])
    expect(await daysOf(bravo)).toEqual([
      { id: earlier, isClosed: false },
      { id: today, isClosed: false },
    ])
    for (const state of ['late', null]) expect(await call([callOf(earlier, abad, state)])).toEqual(leftOut)
    expect(await call([callOf(today, abad, 'late')])).toEqual({ count: 1, left: 0 })
    expect(await call([callOf(today, abad, null)])).toEqual(leftOut)
    for (const day of [earlier, today])
      for (const state of ['late', null])
        expect(await call([callOf(day, blas, state)], bravo)).toEqual({ count: 1, left: 0 })
  })

  test('leaves out who left the section, takes the others, and knows what it had saved before', async () => {
    const [abad, blas] = [await enrol('Abad'), await enrol('Blas')]
    const today = await addDay('2026-09-12')
    const saved = callOf(today, abad, 'present')
    await call([saved])
    await own.database.db
      .updateTable('enrolments')
      .set({ sectionId: bravo })
      .where('studentId', '=', abad)
      .execute()
    // The phone that had no answer sends all of it again.
    const batch = [saved, callOf(today, abad, 'absent'), callOf(today, blas, 'absent')]
    expect(await call(batch)).toEqual({ count: 1, left: 1 })
    await own.database.db.updateTable('trainingDays').set({ state: 'cancelled' }).execute()
    expect(await call([saved, callOf(today, blas, 'late')])).toEqual(leftOut)
  })

  test('leaves what the office called after the phone had read the roll', async () => {
    const [abad, blas] = [await enrol('Abad'), await enrol('Blas')]
    const today = await addDay('2026-09-12')
    await call([callOf(today, abad, 'present')])
    const byOffice = [callOf(today, abad, 'absent'), callOf(today, blas, 'absent')]
    await own.admin.call('POST', `/terms/${termId}/attendance`, { calls: byOffice })
    const late = [callOf(today, abad, 'late', { seen: 1 }), callOf(today, blas, 'late')]
    expect(await call(late)).toEqual({ count: 0, left: 2 })
    const versions = new Map((await read()).calls.map((row) => [row.studentId, row.version]))
    expect(await call([callOf(today, abad, 'late', { seen: versions.get(abad) })])).toEqual({
      ...{ count: 1, left: 0 },
    })
    // The phone's own call since is no reason to leave the next one.
    expect(await call([callOf(today, abad, 'present', { seen: versions.get(abad) })])).toEqual({
      ...{ count: 1, left: 0 },
    })
  })

  test('takes no calls that another account made on the same phone', async () => {
    const one = callOf(await addDay('2026-09-12'), await enrol('Abad'), 'present')
    expect(await facilitator.refusal('POST', `/roll/${alpha}`, rollOf([one], createId()))).toEqual({
      ...{ status: 409, code: 'conflict', detail: rollMessages.account },
    })
    expect(await call([one])).toEqual({ count: 1, left: 0 })
  })

  test('takes calls while the account is given another section', async () => {
    const student = await enrol('Abad')
    const today = await addDay('2026-09-12')
    await own.database.db.transaction().execute(async (tx) => {
      await createPeopleRepository(tx).setSections(facilitator.id, [alpha, bravo])
      expect(await call([callOf(today, student, 'present')])).toEqual({ count: 1, left: 0 })
    })
    await call([callOf(today, student, 'absent')])
    await read(bravo)
  })

  test('takes nothing of a section that is taken from the account meanwhile', async () => {
    const student = await enrol('Abad')
    const today = await addDay('2026-09-12')
    const { db } = own.database
    const refused = await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('adminSections').execute()
      const waiting = refusedCall(callOf(today, student, 'present'))
      await untilWaiting(own.database)
      return { waiting }
    })
    expect(await refused.waiting).toEqual(notOwn)
    expect(await db.selectFrom('attendanceCalls').select('id').execute()).toEqual([])
  })
})

describe('phone numbers', () => {
  const path = (id: string) => `/roll/students/${id}`

  test('are shown where the account is allowed it, and each time is in the trail', async () => {
    const student = await enrol('Abad')
    expect(await facilitator.refusal('GET', path(student))).toEqual({
      ...{ status: 403, code: 'permission_denied', detail: rollMessages.noPhoneNumbers },
    })
    await allowPhones()
    for (let times = 0; times < 2; times++) {
      const answer = await facilitator.call('GET', path(student))
      expect(await answer.json()).toEqual({
        contactNumber: '0917 555 1001',
        emergencyContactName: 'Nena',
        emergencyContactNumber: '0917 555 2002',
      })
    }
    const viewed = await own.database.db
      .selectFrom('auditEvents')
      .select(['adminId'])
      .where('action', '=', 'phone-numbers-viewed')
      .execute()
    expect(viewed).toEqual([{ adminId: facilitator.id }, { adminId: facilitator.id }])
  })

  test('are of the own sections alone, and of nobody whose record is blocked', async () => {
    await allowPhones()
    const [mine, other] = [await enrol('Abad'), await enrol('Bravo', bravo)]
    expect(await facilitator.refusal('GET', path(other))).toEqual(gone)
    await own.database.db.updateTable('students').set({ restriction: 'blocked' }).execute()
    expect(await facilitator.refusal('GET', path(mine))).toEqual(gone)
  })

  test('count as opened records: beyond 300 in an hour the password is asked for', async () => {
    await allowPhones()
    const student = await enrol('Abad')
    const long = new Date(now.getTime() - 11 * 60_000)
    await own.database.db
      .updateTable('sessions')
      .set({ provenAt: long, recordsSince: now, recordsRead: 300 })
      .where('adminId', '=', facilitator.id)
      .execute()
    expect(await facilitator.refusal('GET', path(student))).toEqual({
      ...{ status: 403, code: 'proof_needed', detail: problemSentences.proof_needed },
    })
  })
})

import { v7 as createId } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RollCall } from '#shared/attendance/calls.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { startAttendedTerm } from '#tests/setup/attended-term.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const now = new Date('2026-09-12T09:00:00+08:00')
const own = startStudentsServer({ now })
const { termId, alpha } = startAttendedTerm(own)

type Phone = Awaited<ReturnType<typeof createStaffClient>>
type Made = Pick<RollCall, 'id' | 'dayId' | 'studentId' | 'state' | 'calledAt'>

let today: string

beforeEach(async () => {
  today = await addDay('2026-09-12')
})

async function addDay(heldOn: string): Promise<string> {
  const id = createId()
  const day = { id, termId, component: 'CWTS', heldOn, hours: 4, level: null } as const
  await own.database.db.insertInto('trainingDays').values(day).execute()
  return id
}

async function enrol(): Promise<string> {
  const { id } = await storeStudent(own.database, { nstpComponent: 'CWTS' })
  await storeEnrolment(own.database, { termId, sectionId: alpha, studentId: id })
  return id
}

async function addPhone(): Promise<Phone> {
  const phone = await createStaffClient(own.server, { role: 'facilitator', components: [] })
  await own.database.db.insertInto('adminSections').values({ adminId: phone.id, sectionId: alpha }).execute()
  return phone
}

const made = (studentId: string, state: RollCall['state'], calledAt: string | null, dayId = today): Made => ({
  ...{ id: createId(), dayId, studentId, state },
  calledAt: calledAt && new Date(calledAt).toISOString(),
})

const bodyOf = ({ id }: Phone, calls: readonly Made[]) => ({
  account: id,
  calls: calls.map((call) => ({ ...call, seen: null })),
})

async function send(phone: Phone, ...calls: Made[]) {
  const answer = await phone.call('POST', `/roll/${alpha}`, bodyOf(phone, calls))
  expect(answer.status, await answer.clone().text()).toBe(200)
  return await answer.json()
}

const held = () =>
  own.database.db
    .selectFrom('attendance')
    .select(['dayId', 'studentId', 'state'])
    .orderBy('dayId')
    .orderBy('studentId')
    .execute()

const statesOf = async () => (await held()).map(({ state }) => state)

describe('of the calls of two phones', () => {
  test('the one that was made later holds, whichever arrives first', async () => {
    const [first, second, student] = [await addPhone(), await addPhone(), await enrol()]
    await send(second, made(student, 'late', '2026-09-12T08:10:00+08:00'))
    const earlier = made(student, 'absent', '2026-09-12T08:00:00+08:00')
    // It is kept, but doesn't hold.
    expect(await send(first, earlier)).toEqual({ count: 1, left: [] })
    expect(await statesOf()).toEqual(['late'])
    await send(first, made(student, null, '2026-09-12T08:05:00+08:00'))
    expect(await statesOf()).toEqual(['late'])
    await send(first, made(student, 'present', '2026-09-12T08:20:00+08:00'))
    expect(await statesOf()).toEqual(['present'])
  })

  test('one of a clock that is ahead, or on an earlier day, counts as made when it arrives', async () => {
    const [phone, student] = [await addPhone(), await enrol()]
    const times = ['2026-09-12T09:00:01+08:00', '2031-01-01T00:00:00Z', '2026-09-11T23:59:59+08:00', null]
    for (const [number, calledAt] of times.entries())
      await send(phone, made(student, number % 2 ? 'absent' : 'late', calledAt))
    expect(await statesOf()).toEqual(['absent'])
    const calls = await own.database.db.selectFrom('attendanceCalls').select('at').execute()
    expect(calls).toEqual(times.map(() => ({ at: now })))
  })

  test('absences of closing are replaced, also by a call that was made before', async () => {
    const [phone, student] = [await addPhone(), await enrol()]
    await own.database.db
      .insertInto('attendance')
      .values({ dayId: today, studentId: student, state: 'absent', source: 'closing', at: now })
      .execute()
    await send(phone, made(student, 'present', '2026-09-12T08:00:00+08:00'))
    expect(await statesOf()).toEqual(['present'])
  })

  test('“All present” without a network fills what the office closed meanwhile, and no call of another phone', async () => {
    const [phone, other] = [await addPhone(), await addPhone()]
    const [closed, called] = [await enrol(), await enrol()]
    await send(other, made(called, 'late', '2026-09-12T07:50:00+08:00'))
    await own.database.db
      .insertInto('attendance')
      .values({ dayId: today, studentId: closed, state: 'absent', source: 'closing', at: now })
      .execute()
    const calls = [closed, called].map((student) => ({
      ...made(student, 'present', '2026-09-12T08:00:00+08:00'),
      onlyEmpty: true,
    }))
    expect(await send(phone, ...calls)).toEqual({ count: 1, left: calls.slice(1).map(({ id }) => id) })
    const states = new Map((await held()).map(({ studentId, state }) => [studentId, state]))
    expect([closed, called].map((student) => states.get(student))).toEqual(['present', 'late'])
  })
})

test('calls that were made on a day are taken after it was closed, but nothing that was made later', async () => {
  const phone = await addPhone()
  const earlier = await addDay('2026-09-05')
  const students = [await enrol(), await enrol(), await enrol(), await enrol()] as const
  await own.database.db
    .insertInto('attendance')
    .values(
      students.map((studentId) => ({
        ...{ dayId: earlier, studentId, state: 'absent' as const, source: 'closing' as const, at: now },
      })),
    )
    .execute()
  await own.database.db
    .updateTable('trainingDays')
    .set({ state: 'closed', closedAt: now })
    .where('id', '=', earlier)
    .execute()
  const [onField, later, unknown, takenBack] = students
  const calls = [
    made(onField, 'present', '2026-09-05T08:00:00+08:00', earlier),
    made(later, 'present', '2026-09-06T00:00:00+08:00', earlier),
    made(unknown, 'present', null, earlier),
    made(takenBack, null, '2026-09-05T08:00:00+08:00', earlier),
  ]
  expect(await send(phone, ...calls)).toEqual({ count: 1, left: calls.slice(1).map(({ id }) => id) })
  const states = new Map((await held()).map(({ studentId, state }) => [studentId, state]))
  expect(students.map((student) => states.get(student))).toEqual(['present', 'absent', 'absent', 'absent'])
})

/** The same numbers at each run. */
function createDice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}

test('2,000 calls of five phones, whose uploads are cut and repeated, are each there once, and the latest hold', async () => {
  const dice = createDice(7)
  const students = await Promise.all(Array.from({ length: 100 }, enrol))
  const days = [today, await addDay('2026-09-05'), await addDay('2026-08-29'), await addDay('2026-08-22')]
  const phones = await Promise.all(Array.from({ length: 5 }, addPhone))
  // No two calls are made in the same millisecond.
  const start = Date.parse('2026-09-12T07:00:00+08:00')
  const cells = days.flatMap((dayId) => students.map((studentId) => ({ dayId, studentId })))
  const calls = phones.map((_phone, phone) =>
    cells.map(({ dayId, studentId }, cell) => {
      const at = start + dice(700_000) * 10 + phone
      const state = (['present', 'late', 'absent'] as const)[(phone + cell) % 3] ?? 'present'
      return made(studentId, state, new Date(at).toISOString(), dayId)
    }),
  )

  await Promise.all(
    phones.map(async (phone, number) => {
      const waiting = calls[number] ?? []
      for (let sent = 0; sent < waiting.length; sent += 40) {
        const batch = waiting.slice(sent, sent + 40)
        // The network is cut before the answer, and the phone doesn't know how far it came.
        if (dice(2) === 0) await cut(phone, batch, dice(30))
        // What was shown as waiting is sent anew with what was called since.
        await send(phone, ...waiting.slice(Math.max(0, sent - dice(40)), sent + 40))
        if (dice(4) === 0) await Promise.all([send(phone, ...batch), send(phone, ...batch)])
      }
    }),
  )

  const all = calls.flat()
  const stored = await own.database.db.selectFrom('attendanceCalls').select('id').execute()
  expect(stored.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort())
  const latest = new Map<string, Made>()
  for (const call of [...all].sort((a, b) => ((a.calledAt ?? '') < (b.calledAt ?? '') ? -1 : 1)))
    latest.set(`${call.dayId} ${call.studentId}`, call)
  const expected = [...latest.values()].map(({ dayId, studentId, state }) => ({ dayId, studentId, state }))
  const byCell = (a: { dayId: string; studentId: string }, b: typeof a) =>
    a.dayId + a.studentId < b.dayId + b.studentId ? -1 : 1
  expect((await held()).sort(byCell)).toEqual(expected.sort(byCell))
})

/** Sends a batch and hangs up after so many ms. */
async function cut({ cookie, ...phone }: Phone, calls: readonly Made[], ms: number): Promise<void> {
  const { url } = own.server
  await fetch(`${url}/api/roll/${alpha}`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf({ cookie, ...phone }, calls)),
    signal: AbortSignal.timeout(ms),
  }).catch(() => undefined)
}

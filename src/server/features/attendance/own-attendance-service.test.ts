import { v7 as createId } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { AttendanceGrid, TrainingDay } from '#shared/attendance/attendance-response.ts'
import type { MyPage } from '#shared/my/own-page-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { startAttendedTerm } from '#tests/setup/attended-term.ts'
import { enterAsStudent } from '#tests/setup/student-session.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'
import { createOwnAttendance } from './own-attendance-service.ts'

// 10 September 2026 in Manila.
const today = new Date('2026-09-10T09:00:00+08:00')
const own = startStudentsServer({ now: today })
const { termId, alpha, bravo, addDays } = startAttendedTerm(own)

async function enrol(lastName: string, sectionId: string | null = alpha, level: 1 | 2 = 1): Promise<string> {
  const { id } = await storeStudent(own.database, { lastName, nstpComponent: 'CWTS' })
  await storeEnrolment(own.database, { termId, sectionId, studentId: id, level })
  return id
}

/** 'PA' of the first two days. */
async function call(student: string, days: readonly TrainingDay[], letters: string): Promise<void> {
  const states = { P: 'present', L: 'late', A: 'absent', E: 'excused' }
  const calls = Object.entries(states).flatMap(([letter, state]) =>
    days.flatMap((day, index) =>
      letters[index] === letter
        ? [
            {
              ...{ id: createId(), dayId: day.id, studentId: student, state },
              ground: state === 'excused' ? 'family' : '',
            },
          ]
        : [],
    ),
  )
  expect((await own.admin.call('POST', `/terms/${termId}/attendance`, { calls })).status).toBe(200)
}

const cancel = ({ id, version, heldOn }: TrainingDay) =>
  own.admin.call(
    'PATCH',
    `/training-days/${id}`,
    { heldOn, title: '', startsAt: '07:30', hours: 4, isCancelled: true },
    { 'If-Match': `"${version}"` },
  )

async function attendanceOf(student: string): Promise<MyPage['attendance']> {
  const Cookie = await enterAsStudent(own.server, student, today)
  const answer = await fetch(`${own.server.url}/api/my`, { headers: { Cookie } })
  expect(answer.status).toBe(200)
  const page: MyPage = await answer.json()
  return page.attendance
}

const shortly = (days: readonly { heldOn: string }[] = []) => days.map(({ heldOn }) => heldOn)

describe('the own attendance', () => {
  test('is what the desk says of each student, by every kind of rule', async () => {
    const days = await addDays([
      '2026-08-08',
      '2026-08-15',
      '2026-08-22',
      '2026-08-29',
      '2026-09-19',
      '2026-09-26',
    ])
    const [first] = days
    await addDays(['2026-08-16'], { sectionIds: [bravo] })
    const [makeUp] = await addDays(['2026-09-05'], { replacesId: first?.id })
    const [ofBoth] = await addDays(['2026-08-20'], { level: null })
    const students = {
      [await enrol('Abad')]: 'PAPA',
      [await enrol('Bello')]: 'AAEA',
      [await enrol('Cruz', bravo)]: 'LLLP',
      [await enrol('Diaz', null)]: 'A',
      [await enrol('Enriquez')]: '----E',
    }
    for (const [student, letters] of Object.entries(students)) await call(student, days, letters)
    const [abad = ''] = Object.keys(students)
    await call(
      abad,
      [makeUp, ofBoth].flatMap((day) => day ?? []),
      'AL',
    )
    for (const limits of [
      {},
      { absences: 3, percent: 20, inRow: 3 },
      { absences: 3, lates: 3 },
      { absences: 2, hoursMissed: 8 },
      { percent: 50 },
    ]) {
      const none = { absences: null, percent: null, inRow: null, hoursMissed: null, lates: null }
      const rule = { component: 'CWTS', hours: 54, ...none, ...limits }
      expect((await own.admin.call('PUT', `/terms/${termId}/attendance-rule`, rule)).status).toBe(200)
      const path = `/terms/${termId}/attendance?component=CWTS&level=1`
      const grid: AttendanceGrid = await (await own.admin.call('GET', path)).json()
      expect(grid.students).toHaveLength(5)
      for (const { student, standing } of grid.students) {
        expect([student.lastName, (await attendanceOf(student.id))?.standing]).toEqual([
          student.lastName,
          standing,
        ])
      }
    }
  })

  test('names the next day of the own section, and what is cancelled before it', async () => {
    const student = await enrol('Abad')
    expect(await attendanceOf(student)).toBeNull()
    const [past, missed, cancelled, next, later] = await addDays([
      '2026-08-29',
      ...['2026-09-05', '2026-09-12', '2026-09-19', '2026-09-26'],
    ])
    await addDays(['2026-09-11'], { sectionIds: [bravo] })
    await addDays(['2026-09-13'], { level: 2 })
    await addDays(['2026-09-14'], { replacesId: past?.id, title: 'Make-up drill' })
    if (!missed || !cancelled || !next || !later) throw new Error('five days are needed')
    await cancel(cancelled)
    await call(student, [missed], 'A')
    expect(await attendanceOf(student)).toMatchObject({
      coming: [
        { heldOn: '2026-09-12', isCancelled: true, isMakeUp: false },
        { heldOn: '2026-09-14', isCancelled: false, isMakeUp: true, title: 'Make-up drill' },
        { id: next.id, heldOn: '2026-09-19', startsAt: '07:30', isCancelled: false, isMakeUp: false },
      ],
      standing: { days: 1, absent: 1 },
      days: [{ id: missed.id, heldOn: '2026-09-05', state: 'absent' }],
    })
    const { excusable } = (await attendanceOf(student)) ?? {}
    // Nobody called or closed the one in August.
    expect(shortly(excusable)).toEqual(['2026-08-29', '2026-09-05', '2026-09-19', '2026-09-26'])
    await call(student, [missed, later], 'EE')
    expect(shortly((await attendanceOf(student))?.excusable)).toEqual(['2026-08-29', '2026-09-19'])
  })

  test('asks for no day before the student was enrolled', async () => {
    const [before, since] = await addDays(['2026-08-22', '2026-08-29'])
    const student = await enrol('Abad')
    const placed = { statusOn: '2026-08-25' }
    await own.database.db.updateTable('enrolments').set(placed).where('studentId', '=', student).execute()
    expect(shortly((await attendanceOf(student))?.excusable)).toEqual([since?.heldOn])
    // The desk counted it all the same.
    await call(student, [before], 'A')
    expect(shortly((await attendanceOf(student))?.excusable)).toEqual([before.heldOn, since?.heldOn])
  })

  test('keeps the days of another section and component, and is nobody’s while the record is blocked', async () => {
    const days = await addDays(['2026-08-08'])
    const student = await enrol('Abad')
    await call(student, days, 'P')
    const { db } = own.database
    const moved = { status: 'moved', statusOn: '2026-09-01' } as const
    await db.updateTable('enrolments').set(moved).where('studentId', '=', student).execute()
    await storeEnrolment(own.database, { termId, studentId: student, component: 'LTS' })
    expect(await attendanceOf(student)).toMatchObject({
      coming: [],
      days: [{ state: 'present' }],
      standing: { days: 1 },
    })
    await db.updateTable('students').set({ restriction: 'blocked' }).where('id', '=', student).execute()
    expect(await attendanceOf(student)).toBeNull()
  })

  test('is of an open term alone', async () => {
    const student = await enrol('Abad')
    await call(student, await addDays(['2026-08-08']), 'P')
    await own.database.db.updateTable('terms').set({ state: 'closed' }).execute()
    expect(await attendanceOf(student)).toBeNull()
  })
})

test.each([
  ['2026-09-09T23:30:00Z', ['2026-09-10']],
  ['2026-09-10T15:30:00Z', ['2026-09-10']],
  ['2026-09-10T16:30:00Z', []],
])('at %s the days to come are those of the school’s calendar', async (at, expected) => {
  await addDays(['2026-09-09', '2026-09-10'])
  const readAttendance = createOwnAttendance({ clock: () => new Date(at), timeZone: 'Asia/Manila' })
  const attendance = await readAttendance(own.database.db, await enrol('Abad'))
  expect(shortly(attendance?.coming)).toEqual(expected)
})

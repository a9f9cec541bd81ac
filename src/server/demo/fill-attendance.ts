import type { Transaction } from 'kysely'
import { v7 as createId } from 'uuid'
import type { Tables } from '#server/database/schema.ts'
import { createClosing } from '#server/features/attendance/closing-service.ts'
import { createAttendance } from '#server/features/attendance/service.ts'
import { createTrainingDays } from '#server/features/attendance/training-day-service.ts'
import type { TrainingDay } from '#shared/attendance/attendance-response.ts'
import { type Call, callLimits } from '#shared/attendance/calls.ts'
import { excuseGrounds } from '#shared/attendance/excuse-grounds.ts'
import { datesOn } from '#shared/attendance/training-days.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { listTrained } from './demo-repository.ts'
import { actor, contextAt, demoTimeZone } from './fill-terms.ts'
import { createRandom, type Random } from './random.ts'

const components = ['ROTC', 'CWTS'] as const
const saturday = 6
// Saturdays before and after now, as a term in its last weeks has them.
const held = 6
const toCome = 4
// One of so many students is often absent, and so near or over the limits.
const absentees = 20

/** Saturdays of the open term: closed ones, the last one called and not yet closed, and those to come. */
export async function fillAttendance(tx: Transaction<Tables>, now: Date, term: Term): Promise<void> {
  const today = calendarDateOf(now, demoTimeZone)
  const saturdays = datesOn(term, [saturday])
  const past = saturdays.filter((date) => date < today).slice(-held)
  const on = [...past, ...saturdays.filter((date) => date >= today).slice(0, toCome)]
  const random = createRandom(54)
  for (const component of components) {
    const planned = { component, level: 1 as const, sectionIds: [], title: '', replacesId: null }
    const days = await createTrainingDays(contextAt(tx, now)).add(
      term.id,
      { ...planned, on, startsAt: component === 'ROTC' ? '07:00' : '08:00', hours: 4 },
      actor,
    )
    const students = (await listTrained(tx, term.id, component)).map((id) => ({
      id,
      isAbsentee: random.integer(1, absentees) === 1,
    }))
    const called = days.filter(({ heldOn }) => past.includes(heldOn))
    for (const day of called) {
      const context = contextAt(tx, new Date(`${day.heldOn}T12:30:00+08:00`))
      const calls = students.map((student) => callOf(random, day, student))
      for (let start = 0; start < calls.length; start += callLimits.atOnce) {
        await createAttendance(context).call(term.id, calls.slice(start, start + callLimits.atOnce), actor)
      }
      // Everybody was called, so closing asks for no section.
      if (day !== called.at(-1)) {
        await createClosing(context).close(day.id, day.version, { sections: [], withLater: false }, actor)
      }
    }
  }
}

function callOf(random: Random, day: TrainingDay, student: { id: string; isAbsentee: boolean }): Call {
  const state = random.weigh([
    ['present', student.isAbsentee ? 50 : 90],
    ['late', 5],
    ['absent', student.isAbsentee ? 42 : 3],
    ['excused', 2],
  ] as const)
  return {
    id: createId(),
    dayId: day.id,
    studentId: student.id,
    state,
    minutes: state === 'late' ? random.integer(5, 30) : null,
    ground: state === 'excused' ? random.pick(excuseGrounds) : '',
    onlyEmpty: false,
  }
}

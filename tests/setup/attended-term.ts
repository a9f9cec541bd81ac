import { v7 as createId } from 'uuid'
import { beforeEach, expect } from 'vitest'
import type { TrainingDay } from '#shared/attendance/attendance-response.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import type { startStudentsServer } from './students-server.ts'

/** Each test begins with one open term, whose sections Alpha and Bravo have no training days. */
export function startAttendedTerm(own: ReturnType<typeof startStudentsServer>) {
  const [termId, alpha, bravo] = [createId(), createId(), createId()]

  beforeEach(async () => {
    const { db } = own.database
    for (const table of [
      ...(['attendanceCalls', 'attendance', 'trainingDays', 'attendanceRules'] as const),
      ...(['adminSections', 'enrolments', 'sections', 'terms'] as const),
    ])
      await db.deleteFrom(table).execute()
    await storeTerm(own.database, { id: termId })
    await storeSection(own.database, { id: alpha, termId, name: 'Alpha' })
    await storeSection(own.database, { id: bravo, termId, name: 'Bravo', position: 1 })
  })

  const plan = (on: readonly string[], overrides: object = {}) => ({
    ...{ component: 'CWTS', level: 1, sectionIds: [], on, title: '', startsAt: '07:30', hours: 4 },
    ...overrides,
  })

  async function addDays(
    on: readonly string[],
    overrides: object = {},
  ): Promise<[TrainingDay, ...TrainingDay[]]> {
    const answer = await own.admin.call('POST', `/terms/${termId}/training-days`, plan(on, overrides))
    expect(answer.status, await answer.clone().text()).toBe(201)
    return (await answer.json()).items
  }

  return { termId, alpha, bravo, plan, addDays }
}

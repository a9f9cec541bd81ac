import { v7 as createId } from 'uuid'
import { beforeEach, expect } from 'vitest'
import type {
  AttendanceGrid,
  CalledDay,
  TrainingDay,
  TrainingDayList,
} from '#shared/attendance/attendance-response.ts'
import { storeEnrolment } from '#tests/factories/stored-enrolment.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
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

type Caller = Pick<ReturnType<typeof startStudentsServer>['admin'], 'call' | 'refusal'>

interface Cell {
  day: { id: string }
  student: string
  state: string | null
  minutes?: number
  ground?: string
  id?: string
}

/** What the desk does with students and training days of CWTS. */
export function openDesk(
  own: ReturnType<typeof startStudentsServer>,
  { termId, alpha }: { termId: string; alpha: string },
) {
  async function enrol(
    lastName: string,
    overrides: Partial<Parameters<typeof storeEnrolment>[1]> = {},
    student: Parameters<typeof storeStudent>[1] = {},
  ): Promise<string> {
    const { id } = await storeStudent(own.database, {
      ...{ lastName, firstName: 'Ana', middleName: '', nstpComponent: 'CWTS' },
      ...student,
    })
    await storeEnrolment(own.database, { termId, sectionId: alpha, studentId: id, ...overrides })
    return id
  }

  const edit = (day: TrainingDay, change: object) =>
    own.admin.call(
      'PATCH',
      `/training-days/${day.id}`,
      { heldOn: day.heldOn, title: '', startsAt: '07:30', hours: 4, isCancelled: false, ...change },
      { 'If-Match': `"${day.version}"` },
    )

  async function listDays(component = 'CWTS'): Promise<TrainingDayList> {
    return await (await own.admin.call('GET', `/terms/${termId}/training-days?component=${component}`)).json()
  }

  const callOf = ({ day, student, id = createId(), ...call }: Cell) => ({
    ...{ id, dayId: day.id, studentId: student },
    ...call,
  })

  async function call(cells: readonly Cell[], by: Caller = own.admin): Promise<number> {
    const answer = await by.call('POST', `/terms/${termId}/attendance`, { calls: cells.map(callOf) })
    expect(answer.status).toBe(200)
    return (await answer.json()).count
  }

  const refusedCall = (cell: Cell, by: Caller = own.admin) =>
    by.refusal('POST', `/terms/${termId}/attendance`, { calls: [callOf(cell)] })

  async function grid(query = `section=${alpha}`): Promise<AttendanceGrid> {
    const path = `/terms/${termId}/attendance?component=CWTS&level=1&${query}`
    const answer = await own.admin.call('GET', path)
    expect(answer.status).toBe(200)
    return await answer.json()
  }

  /** 'Abad P-A' */
  async function marked(query?: string): Promise<string[]> {
    const { days, students, calls } = await grid(query)
    const stateOf = (dayId: string, studentId: string) =>
      calls.find((one) => one.dayId === dayId && one.studentId === studentId)?.state[0]?.toUpperCase() ?? '-'
    return students.map(
      ({ student }) => `${student.lastName} ${days.map(({ id }) => stateOf(id, student.id)).join('')}`,
    )
  }

  function close({ id, version }: TrainingDay, sections: object[] = [], withLater = false) {
    const body = { sections, withLater }
    return own.admin.call('POST', `/training-days/${id}/closing`, body, { 'If-Match': `"${version}"` })
  }

  const dayNow = async (id: string): Promise<CalledDay> => {
    const found = (await listDays()).items.find((day) => day.id === id)
    if (!found) throw new Error('no such day')
    return found
  }

  /** @returns the id of the change, for its undo */
  async function changeSection(student: string, sectionId: string | null): Promise<string> {
    const { id } = await own.database.db
      .selectFrom('enrolments')
      .select('id')
      .where('studentId', '=', student)
      .executeTakeFirstOrThrow()
    const answer = await own.admin.call('POST', '/enrolments/section', { ids: [id], sectionId, reason: '' })
    expect(answer.status).toBe(200)
    return (await answer.json()).batchId
  }

  const lastEntry = () =>
    own.database.db
      .selectFrom('auditEvents')
      .select(['action', 'affected', 'detail'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()

  return {
    ...{
      enrol,
      edit,
      listDays,
      dayNow,
      callOf,
      call,
      refusedCall,
      grid,
      marked,
      close,
      changeSection,
      lastEntry,
    },
  }
}

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type {
  AttendanceGrid,
  ClosingPreview,
  TrainingDayList,
} from '#shared/attendance/attendance-response.ts'
import type { AttendanceState } from '#shared/attendance/calls.ts'
import type { Roll, RollSections } from '#shared/attendance/roll-response.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { Section } from '#shared/terms/terms-response.ts'
import type { Query } from './agreement.ts'
import type { Office } from './office.ts'
import { type OfficeClient, seen } from './office-client.ts'
import type { Random } from './random.ts'
import { expectSame } from './same-lines.ts'
import { enrolmentIn, type Student } from './school.ts'
import { dayIn, type Semester, termDays } from './terms.ts'

const phones = 5
export const saturdays = 15
const hours = 4

/** A training day as the portal should have it, with what was called of each student. */
interface Day {
  id: string
  heldOn: string
  isCancelled: boolean
  called: Map<string, AttendanceState>
}

export interface Training {
  days: Record<NstpComponent, Day[]>
  /** The ids of all calls of phones that were answered. */
  calls: string[]
}

interface Limits {
  absences: number | null
  percent: number | null
  inRow: number | null
  hoursMissed: number | null
  lates: number | null
}

/** One rule of each kind that schools have. */
const limitsOf: Readonly<Record<NstpComponent, Limits>> = {
  ROTC: { absences: 3, percent: 20, inRow: 3, hoursMissed: null, lates: null },
  CWTS: { absences: 3, percent: null, inRow: null, hoursMissed: null, lates: 3 },
  LTS: { absences: 2, percent: null, inRow: null, hoursMissed: 8, lates: null },
}

/** The last fifteen Saturdays, the earliest first. */
function lastSaturdays(): string[] {
  const back = (new Date(dayIn(0)).getUTCDay() + 1) % 7
  return Array.from({ length: saturdays }, (_, index) => dayIn(index - saturdays + 1, -back))
}

/** Each coordinator sets the rule, adds the days and cancels one of them. */
export async function addSaturdays(
  coordinators: Office['coordinators'],
  term: Semester,
  random: Random,
): Promise<Training> {
  const days: Training['days'] = { ROTC: [], CWTS: [], LTS: [] }
  for (const component of nstpComponents) {
    const client = coordinators[component]
    const path = `/terms/${term.id}/training-days`
    const list = async () => (await client.read<TrainingDayList>(`${path}?component=${component}`)).items
    await client.act('PUT', `/terms/${term.id}/attendance-rule`, {
      component,
      hours: 54,
      ...limitsOf[component],
    })
    const about = { title: '', startsAt: '07:30', hours }
    const added = await client.ensure(
      `add days of ${component}`,
      async () => {
        const items = await list()
        return items.length > 0 ? items : null
      },
      () => client.send('POST', path, { component, level: null, on: lastSaturdays(), ...about }),
    )
    expect(added.map(({ heldOn }) => heldOn)).toEqual(lastSaturdays())
    const { id: rained } = random.oneOf(added)
    await client.ensure(
      `cancel a day of ${component}`,
      async () => ((await list()).find(({ id }) => id === rained)?.state === 'cancelled' ? true : null),
      async () => {
        const day = (await list()).find(({ id }) => id === rained)
        if (!day) return null
        const body = { heldOn: day.heldOn, ...about, isCancelled: true }
        return await client.send('PATCH', `/training-days/${rained}`, body, seen(day))
      },
    )
    days[component] = added.map(({ id, heldOn }) => ({
      ...{ id, heldOn },
      isCancelled: id === rained,
      called: new Map(),
    }))
  }
  return { days, calls: [] }
}

/** Five student leaders, each with every fifth section of the first level. */
export async function engageFacilitators(office: Office, term: Semester): Promise<OfficeClient[]> {
  const { items } = await office.director.read<{ items: Section[] }>(`/terms/${term.id}/sections`)
  const clients: OfficeClient[] = []
  for (let phone = 0; phone < phones; phone++) {
    const sectionIds = items.filter((_, index) => index % phones === phone).map(({ id }) => id)
    clients.push(
      await office.engage(`Student leader ${phone + 1}`, { sectionIds, expiresOn: termDays[1].endsOn }),
    )
  }
  return clients
}

interface Field {
  term: Semester
  training: Training
  students: readonly Student[]
  random: Random
}

/** One Saturday of all components: phones call their sections, the office excuses some and closes the day. */
export async function holdSaturday(
  index: number,
  {
    facilitators,
    coordinators,
  }: { facilitators: readonly OfficeClient[]; coordinators: Office['coordinators'] },
  field: Field,
): Promise<void> {
  await Promise.all(facilitators.map((client) => callSections(client, index, field)))
  await Promise.all(
    nstpComponents.map(async (component) => {
      const day = field.training.days[component][index]
      if (!day || day.isCancelled) return
      await excuseSome(coordinators[component], day, component, field)
      await closeDay(coordinators[component], day, component, field)
    }),
  )
}

/** Of a hundred: 2 aren't called, 9 are absent, 5 late. */
function stateOf(random: Random): 'present' | 'absent' | 'late' | null {
  const place = random.int(100)
  if (place < 2) return null
  if (place < 11) return 'absent'
  return place < 16 ? 'late' : 'present'
}

async function callSections(client: OfficeClient, index: number, { training, students, random }: Field) {
  const { items } = await client.read<RollSections>('/roll')
  for (const section of items) {
    const day = training.days[section.component][index]
    if (!day) throw new Error('there is no such Saturday')
    const path = `/roll/${section.id}`
    const roll = await client.read<Roll>(path)
    const own = students.filter(
      (student) => !student.isDeleted && enrolmentIn(student, 1)?.sectionId === section.id,
    )
    expectSame(
      roll.students.map(({ id }) => id),
      own.map(({ id }) => id),
      section.label,
    )
    expect(roll.days.some(({ id }) => id === day.id)).toBe(!day.isCancelled)
    if (day.isCancelled) continue
    const calls = own.flatMap(({ id }) => {
      const state = stateOf(random)
      return state ? [{ id: randomUUID(), dayId: day.id, studentId: id, state, seen: null }] : []
    })
    await upload(client, path, calls, { day, training, random })
    // Who came after the roll was called is late.
    const late = calls.filter(({ state }) => state === 'absent' && random.chance(0.2))
    if (late.length === 0) continue
    const versions = new Map(
      (await client.read<Roll>(path)).calls
        .filter(({ dayId }) => dayId === day.id)
        .map(({ studentId, version }) => [studentId, version]),
    )
    const again = late.map((call) => ({
      ...call,
      ...{ id: randomUUID(), state: 'late' as const, minutes: 40 },
      seen: versions.get(call.studentId) ?? null,
    }))
    await upload(client, path, again, { day, training, random })
  }
}

interface SentCall {
  id: string
  studentId: string
  state: AttendanceState
}

/** The network of a field: some uploads are sent twice, as by a phone that got no answer. */
async function upload(
  client: OfficeClient,
  path: string,
  calls: readonly SentCall[],
  { day, training, random }: { day: Day; training: Training; random: Random },
): Promise<void> {
  if (calls.length === 0) return
  for (let times = random.chance(0.2) ? 2 : 1; times > 0; times -= 1) {
    const answer = await client.ask('POST', path, { calls })
    expect(answer.status, answer.bytes.toString('utf8')).toBe(200)
    expect(answer.json<{ left: string[] }>().left).toEqual([])
  }
  for (const { id, studentId, state } of calls) {
    training.calls.push(id)
    day.called.set(studentId, state)
  }
}

/** The desk has the letters of some who are absent. */
async function excuseSome(
  client: OfficeClient,
  day: Day,
  component: NstpComponent,
  { term, random, students }: Field,
): Promise<void> {
  const inComponent = new Set(
    students.filter((student) => enrolmentIn(student, 1)?.component === component).map(({ id }) => id),
  )
  const excused = [...day.called]
    .filter(([id, state]) => state === 'absent' && inComponent.has(id) && random.chance(0.1))
    .map(([id]) => id)
  if (excused.length === 0) return
  const calls = excused.map((studentId) => ({
    ...{ id: randomUUID(), dayId: day.id, studentId },
    ...{ state: 'excused', ground: 'medical' },
  }))
  const answer = await client.ask('POST', `/terms/${term.id}/attendance`, { calls })
  expect(answer.status, answer.bytes.toString('utf8')).toBe(200)
  for (const id of excused) day.called.set(id, 'excused')
}

/** Who was not called is absent, also who was enrolled after the day. */
async function closeDay(
  client: OfficeClient,
  day: Day,
  component: NstpComponent,
  { term, students }: Field,
): Promise<void> {
  const list = `/terms/${term.id}/training-days?component=${component}`
  const find = async () => (await client.read<TrainingDayList>(list)).items.find(({ id }) => id === day.id)
  await client.ensure(
    `close ${day.heldOn} of ${component}`,
    async () => ((await find())?.state === 'closed' ? true : null),
    async () => {
      const preview = await client.read<ClosingPreview>(`/training-days/${day.id}/closing`)
      const sections = preview.sections
        .filter((section) => section.called === 0 && section.students + section.later > 0)
        .map(({ sectionId }) => ({ sectionId, choice: 'absent' }))
      const version = (await find())?.version ?? 0
      const body = { sections, withLater: true }
      return await client.send('POST', `/training-days/${day.id}/closing`, body, seen({ version }))
    },
  )
  for (const student of students) {
    const isCalled = student.isDeleted || day.called.has(student.id)
    if (!isCalled && enrolmentIn(student, 1)?.component === component) day.called.set(student.id, 'absent')
  }
}

/** Each row of attendance, and each call of a phone exactly once. */
export async function agreeOnCalls(query: Query, { days, calls }: Training): Promise<void> {
  const rows = await query<{ line: string }>(
    `select concat_ws(' ', day_id, student_id, state) as line from attendance`,
  )
  const ours = Object.values(days)
    .flat()
    .flatMap(({ id, called }) => [...called].map(([student, state]) => `${id} ${student} ${state}`))
  expectSame(
    rows.map(({ line }) => line),
    ours,
    'attendance',
  )
  const stored = await query<{ id: string }>(`select id from attendance_calls where source = 'roll'`)
  expectSame(
    stored.map(({ id }) => id),
    calls,
    'calls of phones',
  )
}

/** What each section's grid says of each student's standing, compared with plain counts of the days. */
export async function agreeOnStandings(
  coordinators: Office['coordinators'],
  term: Semester,
  { days }: Training,
  students: readonly Student[],
): Promise<number> {
  let overs = 0
  for (const component of nstpComponents) {
    const client = coordinators[component]
    const { items } = await client.read<{ items: Section[] }>(`/terms/${term.id}/sections`)
    for (const { id, level } of items.filter((section) => section.component === component)) {
      const cell = `component=${component}&level=${level}&section=${id}`
      const grid = await client.read<AttendanceGrid>(`/terms/${term.id}/attendance?${cell}`)
      const theirs = grid.students.map(({ student, standing: { left, ...counts } }) =>
        JSON.stringify({ student: student.id, ...counts }),
      )
      const ours = students
        .filter((student) => !student.isDeleted && enrolmentIn(student, 1)?.sectionId === id)
        .map((student) => JSON.stringify({ student: student.id, ...plainStanding(student, component, days) }))
      expectSame(theirs, ours, `standing in ${component}`)
      overs += grid.students.filter(({ standing }) => standing.level === 'over').length
    }
  }
  return overs
}

/** The days of both components of who moved, in the order of their dates, counted by the limits of the present one. */
export function plainStanding({ id }: Student, component: NstpComponent, days: Training['days']) {
  const states = Object.values(days)
    .flat()
    .filter(({ isCancelled, called }) => !isCancelled && called.has(id))
    .toSorted((one, other) => (one.heldOn < other.heldOn ? -1 : 1))
    .map(({ called }) => called.get(id) ?? 'present')
  const count = (state: AttendanceState) => states.filter((one) => one === state).length
  const text = states
    .filter((state) => state !== 'excused')
    .map((state) => (state === 'absent' ? 'A' : '.'))
    .join('')
  const runs = text.split('.').map((run) => run.length)
  const [present, late, absent, excused] = [
    count('present'),
    count('late'),
    count('absent'),
    count('excused'),
  ]
  const limits = limitsOf[component]
  const isOver = (more: number) => {
    const absences = absent + more + (limits.lates ? Math.floor(late / limits.lates) : 0)
    const row = Math.max(...runs, (runs.at(-1) ?? 0) + more)
    return (
      (limits.absences !== null && absences >= limits.absences) ||
      (limits.inRow !== null && row >= limits.inRow) ||
      (limits.hoursMissed !== null && (absent + more) * hours >= limits.hoursMissed) ||
      (limits.percent !== null &&
        absences * 100 > limits.percent * Math.max(states.length, states.length + more))
    )
  }
  const hasMissed = absent > 0 || (limits.lates !== null && late > 0)
  const level = isOver(0) ? 'over' : hasMissed && isOver(1) ? 'near' : 'fine'
  return {
    ...{ days: states.length, present, late, absent, excused },
    ...{ hours: (present + late) * hours, inRow: Math.max(...runs), level },
  }
}

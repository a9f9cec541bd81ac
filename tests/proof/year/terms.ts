import { expect } from 'vitest'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { ContinuingChoices, ContinuingGroup } from '#shared/terms/continuing.ts'
import type { EnrolmentItem } from '#shared/terms/enrolments-response.ts'
import type { EnteredMarks, MarkList } from '#shared/terms/marks-response.ts'
import type { Program } from '#shared/terms/program-response.ts'
import type { Level } from '#shared/terms/terms.ts'
import type { ContinuationPreview, PlacementPreview, Section, Term } from '#shared/terms/terms-response.ts'
import {
  battalions,
  type SectionPlan,
  sectionsOf,
  sectionsOfSixty,
} from '#web/features/terms/section-plan.ts'
import { type OfficeClient, seen } from './office-client.ts'
import { expectSame } from './same-lines.ts'
import {
  academicYear,
  componentOf,
  type Enrolment,
  enrolmentIn,
  hasPassed,
  outcomeOf,
  type Student,
} from './school.ts'

export interface Semester {
  id: string
  number: 1 | 2
}

/** The date so many weeks, and further days, from today by the clock of the machine, which the product has too. */
export function dayIn(weeks: number, days = 0): string {
  return new Date(Date.now() + (weeks * 7 + days) * 86_400_000).toISOString().slice(0, 10)
}

export const termDays = {
  1: { startsOn: dayIn(-17), endsOn: dayIn(3) },
  2: { startsOn: dayIn(5), endsOn: dayIn(24) },
} as const
const movedOn = dayIn(-12)
const droppedOn = dayIn(-8)

export async function openTerm(client: OfficeClient, number: 1 | 2): Promise<Semester> {
  const term = await client.ensure(
    `open term ${number}`,
    async () => {
      const { items } = await client.read<{ items: Term[] }>('/terms')
      return items.find((one) => one.semester === number && one.academicYear === academicYear) ?? null
    },
    () =>
      client.send('POST', '/terms', { academicYear, semester: number, ...termDays[number], state: 'open' }),
  )
  return { id: term.id, number }
}

export async function closeTerm(client: OfficeClient, { id, number }: Semester): Promise<void> {
  const find = async () => {
    const { items } = await client.read<{ items: Term[] }>('/terms')
    return items.find((one) => one.id === id)
  }
  await client.ensure(
    `close term ${number}`,
    async () => ((await find())?.state === 'closed' ? true : null),
    async () => {
      const version = (await find())?.version ?? 0
      return await client.send(
        'PATCH',
        `/terms/${id}`,
        { ...termDays[number], state: 'closed' },
        seen({ version }),
      )
    },
  )
}

interface Cell {
  component: NstpComponent
  level: Level
}

const sectionsIn = async (client: OfficeClient, { id }: Semester, { component, level }: Cell) => {
  const { items } = await client.read<{ items: Section[] }>(`/terms/${id}/sections`)
  return items.filter((one) => one.component === component && one.level === level)
}

async function addSections(
  client: OfficeClient,
  term: Semester,
  cell: Cell,
  plan: SectionPlan,
): Promise<void> {
  const before = (await sectionsIn(client, term, cell)).length
  await client.ensure(
    `add sections of ${cell.component}`,
    async () => ((await sectionsIn(client, term, cell)).length > before ? true : null),
    async () => {
      const sections = sectionsOf(plan, await sectionsIn(client, term, cell))
      return await client.send('POST', `/terms/${term.id}/sections`, { ...cell, sections })
    },
  )
}

/** Whoever finds no place gets a further section. @param ids only these */
export async function placeAll(
  client: OfficeClient,
  term: Semester,
  cell: Cell,
  { amid, ids }: { amid: <T>(action: () => Promise<T>) => Promise<T>; ids?: string[] },
): Promise<void> {
  const choice = {
    ...cell,
    order: cell.component === 'ROTC' ? 'name' : 'course',
    fill: cell.component === 'ROTC' ? 'in turn' : 'evenly',
    ...(ids && { ids }),
  }
  for (;;) {
    const preview = await client.act<PlacementPreview>('POST', `/terms/${term.id}/placements/preview`, choice)
    if (preview.total === 0) return
    if (preview.placed < preview.total) {
      const isFirst = preview.sections.length === 0 && cell.component === 'ROTC'
      await addSections(
        client,
        term,
        cell,
        isFirst ? battalions : sectionsOfSixty(preview.total - preview.placed),
      )
      continue
    }
    const body = { ...choice, basis: preview.basis }
    const placed = await amid(() => client.press('POST', `/terms/${term.id}/placements`, body))
    // The list has changed since the preview: the next one is confirmed.
    if (placed.status === 409) continue
    expect(placed.json<{ count: number }>().count).toBe(preview.placed)
  }
}

/** Those who wait for a section of NSTP 1, or are in the term. */
export function enrol(students: readonly Student[], term: 1 | 2, level: Level): void {
  for (const student of students) {
    student.enrolments.push({
      ...{ id: '', term, level, component: componentOf(student), sectionId: null, status: 'enrolled' },
      ...{ entry: level === 1 ? 'new' : 'continuing', isOfficial: false, mark: '' },
    })
  }
}

/** In another component the enrolment goes on as another one. */
function follow(student: Student, enrolment: Enrolment, to: NstpComponent): void {
  enrolment.status = 'moved'
  student.components.add(to)
  student.fields.nstpComponent = to
  const fresh = { id: '', sectionId: null, isOfficial: false, status: 'enrolled' } as const
  student.enrolments.push({ ...enrolment, ...fresh, component: to })
}

export async function moveTo(
  client: OfficeClient,
  term: Semester,
  student: Student,
  to: NstpComponent,
): Promise<void> {
  const held = enrolmentIn(student, term.number)
  if (!held) throw new Error(`${student.number} is not enrolled`)
  student.components.add(to)
  const find = async () => {
    const { enrolments } = await client.read<Program>(`/students/${student.id}/program`)
    return enrolments.find((one) => one.term.id === term.id && one.status === 'enrolled')
  }
  await client.ensure(
    `move ${student.number}`,
    async () => ((await find())?.component === to ? true : null),
    async () => {
      const now = await find()
      const body = {
        component: to,
        level: held.level,
        sectionId: null,
        on: movedOn,
        reason: 'On request',
      }
      return now ? await client.send('POST', `/enrolments/${now.id}/move`, body, seen(now)) : null
    },
  )
  follow(student, held, to)
}

export async function drop(
  client: OfficeClient,
  students: readonly Student[],
  term: Semester,
): Promise<void> {
  const held = students.flatMap((student) => enrolmentIn(student, term.number) ?? [])
  if (held.length === 0) return
  const body = { ids: held.map(({ id }) => id), on: droppedOn, reason: 'Stopped' }
  const { count } = await client.act<{ count: number }>('POST', '/enrolments/drop', body)
  expect(count).toBe(held.length)
  for (const enrolment of held) enrolment.status = 'dropped'
}

type Fields = 'component' | 'level' | 'status' | 'entry' | 'isOfficial' | 'mark' | 'outcome' | 'hasSection'
type Shown = { student: string } & Record<Fields, unknown>

/** Compares who is in a term with the portal's list, and learns its ids. */
export async function agreeOnTerm(
  client: OfficeClient,
  term: Semester,
  students: readonly Student[],
): Promise<void> {
  const listed = await client.readAll<EnrolmentItem>(`/terms/${term.id}/enrolments?status=all`)
  const own = new Map(students.map((student) => [student.id, student]))
  for (const item of listed) {
    const enrolment = own
      .get(item.student.id)
      ?.enrolments.find(
        (one) =>
          one.term === term.number &&
          one.component === item.component &&
          one.level === item.level &&
          one.status === item.status &&
          (one.id === '' || one.id === item.id),
      )
    if (enrolment) Object.assign(enrolment, { id: item.id, sectionId: item.section?.id ?? null })
  }
  const ours: Shown[] = students.flatMap(({ id, isDeleted, enrolments }) =>
    isDeleted
      ? []
      : enrolments
          .filter((one) => one.term === term.number)
          .map(({ component, level, status, entry, isOfficial, mark, sectionId }) => ({
            student: id,
            ...{ component, level, status, entry, isOfficial, mark },
            outcome: outcomeOf(mark),
            hasSection: status !== 'enrolled' || sectionId !== null,
          })),
  )
  const theirs: Shown[] = listed.map(({ student, component, level, status, entry, section, ...item }) => ({
    student: student.id,
    ...{ component, level, status, entry, mark: item.mark, outcome: item.outcome },
    isOfficial: item.officialAt !== null,
    // Everybody in a term is placed in the end.
    hasSection: true,
  }))
  expectSame(linesOf(theirs), linesOf(ours))
  await agreeOnSections(client, term, listed)
}

const linesOf = (shown: readonly Shown[]) => shown.map((one) => JSON.stringify(Object.entries(one).sort()))

async function agreeOnSections(
  client: OfficeClient,
  { id }: Semester,
  listed: readonly EnrolmentItem[],
): Promise<void> {
  const { items } = await client.read<{ items: Section[] }>(`/terms/${id}/sections`)
  const enrolled = listed.filter(({ status }) => status === 'enrolled')
  for (const section of items) {
    const own = enrolled.filter((one) => one.section?.id === section.id)
    expect([section.students, section.official]).toEqual([
      own.length,
      own.filter(({ officialAt }) => officialAt !== null).length,
    ])
    expect(own.length).toBeLessThanOrEqual(section.capacity)
    for (const { component, level, student } of own) {
      expect({ component, level }).toEqual({ component: section.component, level: section.level })
      if (section.takes !== 'all') expect(student.sex).toBe(section.takes)
    }
  }
}

/** Section by section, as in the grid. */
export async function enterMarks(
  client: OfficeClient,
  term: Semester,
  cell: Cell,
  { students, markFor }: { students: readonly Student[]; markFor: (student: Student) => string },
): Promise<void> {
  const own = new Map(students.map((student) => [student.id, student]))
  for (const { id: section } of await sectionsIn(client, term, cell)) {
    const list = `/terms/${term.id}/marks?component=${cell.component}&level=${cell.level}&section=${section}`
    const { items } = await client.read<MarkList>(list)
    const wanted = items.flatMap(({ id, version, student: { id: studentId } }) => {
      const student = own.get(studentId)
      return student ? [{ id, version, mark: markFor(student), student }] : []
    })
    if (wanted.length === 0) continue
    const body = { items: wanted.map(({ id, version, mark }) => ({ id, version, mark })), reason: '' }
    const saved = await client.act<EnteredMarks>('PUT', `/terms/${term.id}/marks`, body)
    expect(saved.conflicts).toEqual([])
    for (const { student, mark } of wanted) {
      const enrolment = enrolmentIn(student, term.number)
      if (enrolment) enrolment.mark = mark
    }
  }
}

/** After the term: with a reason. */
export async function completeMarks(
  client: OfficeClient,
  term: Semester,
  students: readonly Student[],
  mark: string,
): Promise<void> {
  for (const student of students) {
    const { enrolments } = await client.read<Program>(`/students/${student.id}/program`)
    const held = enrolments.find((one) => one.term.id === term.id && one.status === 'enrolled')
    const own = enrolmentIn(student, term.number)
    if (!held || !own) throw new Error(`${student.number} was not enrolled`)
    const body = {
      items: [{ id: held.id, version: held.version, mark }],
      reason: 'Completed the requirements',
    }
    const saved = await client.act<EnteredMarks>('PUT', `/terms/${term.id}/marks`, body)
    expect(saved.conflicts).toEqual([])
    own.mark = mark
  }
}

const choices: ContinuingChoices = {
  passed: 'next',
  'no mark': 'leave',
  incomplete: 'next',
  failed: 'again',
  dropped: 'leave',
  done: 'leave',
}

/** By the first term. */
function groupOf(student: Student): ContinuingGroup | null {
  const own = student.enrolments.find(({ term, status }) => term === 1 && status !== 'moved')
  if (student.isDeleted || student.isBlocked || !own) return null
  if (own.status === 'dropped') return 'dropped'
  const outcome = outcomeOf(own.mark)
  return outcome === 'none' ? 'no mark' : outcome
}

/** Everybody of the first term: to NSTP 2, again, or not. The sections are copied. */
export async function continueAll(
  client: OfficeClient,
  term: Semester,
  students: readonly Student[],
  amid: <T>(action: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const body = { choices, copySections: true }
  const path = `/terms/${term.id}/continuations`
  const preview = await client.act<ContinuationPreview>('POST', `${path}/preview`, body)
  for (const { group, count } of preview.groups)
    expect([group, count]).toEqual([group, students.filter((student) => groupOf(student) === group).length])
  const confirmed = { ...body, basis: preview.basis }
  const { count } = await amid(() => client.act<{ count: number }>('POST', path, confirmed))
  expect(count).toBe(preview.next + preview.again)
  for (const student of students) {
    const group = groupOf(student)
    const choice = group && choices[group]
    if (choice === null || choice === 'leave') continue
    enrol([student], 2, choice === 'next' ? 2 : 1)
    const now = enrolmentIn(student, 2)
    if (now && choice === 'again') now.entry = 'repeating'
  }
}

/** Credited students, whose first term here is the second. */
export const creditedOf = (students: readonly Student[]) =>
  students.filter((student) => student.isCredited && !student.isDeleted && !hasPassed(student, 2))

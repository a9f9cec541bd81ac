import * as z from 'zod/mini'
import { shapeError } from '#shared/field-rules.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { placingMessages } from './placing.ts'
import { type EnrolmentStatus, type Level, type Outcome, sectionMessages } from './terms.ts'

/** Students are grouped by their latest enrolment. */
export const continuingGroups = ['passed', 'no mark', 'incomplete', 'failed', 'dropped', 'done'] as const
export type ContinuingGroup = (typeof continuingGroups)[number]

/** The students go on to NSTP 2, take the same level again, or don't join this term. */
export const continuingChoices = ['next', 'again', 'leave'] as const
export type ContinuingChoice = (typeof continuingChoices)[number]

export type ContinuingChoices = Record<ContinuingGroup, ContinuingChoice>

export const choicesOfGroup: Readonly<Record<ContinuingGroup, readonly ContinuingChoice[]>> = {
  passed: ['next', 'leave'],
  'no mark': ['next', 'leave'],
  incomplete: ['leave', 'next'],
  failed: ['again', 'leave'],
  dropped: ['leave', 'again'],
  done: ['leave'],
}

const continuingMessages = {
  choices: 'Please choose for each group whether its students continue.',
  copySections: 'Please send true to keep everybody in their section, or false.',
} as const

const shape = shapeError('Please send how students continue.')

const choiceOf = (group: ContinuingGroup) => z.enum(choicesOfGroup[group], continuingMessages.choices)

const continuation = {
  // All that the account sees.
  component: z.optional(z.enum(nstpComponents, sectionMessages.component)),
  choices: z.strictObject(
    {
      passed: choiceOf('passed'),
      'no mark': choiceOf('no mark'),
      incomplete: choiceOf('incomplete'),
      failed: choiceOf('failed'),
      dropped: choiceOf('dropped'),
      done: choiceOf('done'),
    },
    continuingMessages.choices,
  ),
  copySections: z._default(z.boolean(continuingMessages.copySections), true),
}

export const continuationSchema = z.strictObject(continuation, shape)
export type Continuation = z.output<typeof continuationSchema>

export const proposedChoices: Continuation['choices'] = {
  passed: 'next',
  'no mark': 'next',
  incomplete: 'leave',
  failed: 'again',
  dropped: 'leave',
  done: 'leave',
}

export const confirmedContinuationSchema = z.strictObject(
  { ...continuation, basis: z.string(placingMessages.basis).check(z.maxLength(100, placingMessages.basis)) },
  shape,
)
export type ConfirmedContinuation = z.output<typeof confirmedContinuationSchema>

interface Past {
  // The level, outcome and status are those of the latest enrolment.
  level: Level
  outcome: Outcome
  status: EnrolmentStatus
  // The levels that are passed in any term, credited, or exempted from.
  passed: readonly Level[]
}

/** @returns null for a student who waits for a mark, and isn't asked about */
export function groupOf({ level, outcome, status, passed }: Past): ContinuingGroup | null {
  const hasFirst = passed.includes(1)
  const hasSecond = passed.includes(2)
  if (hasFirst && hasSecond) return 'done'
  if (hasFirst && level === 1) return 'passed'
  if (status === 'dropped' || outcome === 'dropped') return 'dropped'
  if (outcome === 'failed') return 'failed'
  if (level === 2 || hasSecond) return null
  return outcome === 'incomplete' ? 'incomplete' : 'no mark'
}

export interface ContinuingStudent extends Past {
  component: NstpComponent
  // The section of the latest enrolment.
  sectionId: string | null
}

interface KnownSection {
  id: string
  component: NstpComponent
  unit: string
  name: string
  capacity: number
}

type HeldSection = KnownSection & { level: Level; students: number }

interface Continued<Student> {
  student: Student
  level: Level
  sectionId: string | null
}

interface CopiedSection<Section> {
  id: string
  from: Section
  level: Level
}

/**
 * Decides who continues, and in which section. The preview and the change both use it. Everybody goes to the section of
 * the same unit and name while it has a place. For NSTP 2 the section is copied if there is none.
 * @param students in the order of their names
 * @param earlier the sections in which they were
 * @param held the sections of the term
 */
export function continueStudents<Student extends ContinuingStudent, Section extends KnownSection>(
  students: readonly Student[],
  {
    earlier,
    held,
    newId,
  }: { earlier: readonly Section[]; held: readonly HeldSection[]; newId: () => string },
  { choices, copySections }: Pick<Continuation, 'choices' | 'copySections'>,
) {
  const before = new Map(earlier.map((section) => [section.id, section]))
  const places = new Map(
    held.map(({ id, capacity, students: taken, ...section }) => [
      keyOf(section, section.level),
      { id, free: capacity - taken },
    ]),
  )
  const copied: CopiedSection<Section>[] = []

  function findPlace({ component, sectionId }: Student, level: Level, mayCopy: boolean) {
    const from = sectionId === null ? undefined : before.get(sectionId)
    if (!copySections || from?.component !== component) return null
    const key = keyOf(from, level)
    let place = places.get(key)
    if (!place && mayCopy) {
      place = { id: newId(), free: from.capacity }
      places.set(key, place)
      copied.push({ id: place.id, from, level })
    }
    if (!place || place.free <= 0) return null
    place.free -= 1
    return place.id
  }

  const groups = new Map<ContinuingGroup, Student[]>(continuingGroups.map((group) => [group, []]))
  const continued: Continued<Student>[] = []
  for (const student of students) {
    const group = groupOf(student)
    if (group === null) continue
    groups.get(group)?.push(student)
    const choice = choices[group]
    if (choice === 'leave') continue
    const level = choice === 'next' ? 2 : student.level
    continued.push({ student, level, sectionId: findPlace(student, level, choice === 'next') })
  }
  return { groups, continued, copied }
}

const keyOf = ({ component, unit, name }: Omit<KnownSection, 'id' | 'capacity'>, level: Level) =>
  JSON.stringify([component, level, unit.toLowerCase(), name.toLowerCase()])

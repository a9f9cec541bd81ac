import * as z from 'zod/mini'
import { shapeError } from '#shared/field-rules.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { levels, type SectionTakes, sectionMessages } from './terms.ts'

export const placingOrders = ['name', 'course'] as const
export type PlacingOrder = (typeof placingOrders)[number]

/** The way 'in turn' fills one section before the next begins. */
export const placingFills = ['evenly', 'in turn'] as const
export type PlacingFill = (typeof placingFills)[number]

const mostPlacedByIds = 5_000

export const placingMessages = {
  order: 'Please choose the order of the students.',
  fill: 'Please choose how the sections are filled.',
  withoutSections: 'Please send true to enroll without sections, or false.',
  ids: `Please select ${mostPlacedByIds.toLocaleString('en-US')} students or fewer.`,
  basis: 'Please send the basis of the preview.',
  stale: 'The list has changed since the preview. Please look at it again.',
  tooLate: 'This change can no longer be undone.',
} as const

const shape = shapeError('Please send who is placed.')

const choice = {
  component: z.enum(nstpComponents, sectionMessages.component),
  level: z.literal(levels, sectionMessages.level),
  order: z.enum(placingOrders, placingMessages.order),
  fill: z.enum(placingFills, placingMessages.fill),
  // Enrolled in the term alone.
  withoutSections: z._default(z.boolean(placingMessages.withoutSections), false),
  // All who wait, unless they are named.
  ids: z.optional(
    z
      .array(z.uuid(placingMessages.ids), placingMessages.ids)
      .check(z.maxLength(mostPlacedByIds, placingMessages.ids)),
  ),
}

export const placementSchema = z.strictObject(choice, shape)
export type Placement = z.output<typeof placementSchema>

export const confirmedPlacementSchema = z.strictObject(
  { ...choice, basis: z.string(placingMessages.basis).check(z.maxLength(100, placingMessages.basis)) },
  shape,
)
export type ConfirmedPlacement = z.output<typeof confirmedPlacementSchema>

interface PlaceableStudent {
  sex: string
  course: string
}

interface OpenSection {
  id: string
  capacity: number
  takes: SectionTakes
  courses: readonly string[]
  students: number
}

export const leftReasons = ['sex', 'course', 'full'] as const
type LeftReason = (typeof leftReasons)[number]

function takesSex({ takes }: Pick<OpenSection, 'takes'>, { sex }: PlaceableStudent): boolean {
  return takes === 'all' || takes === sex
}

function takesCourse({ courses }: Pick<OpenSection, 'courses'>, { course }: PlaceableStudent): boolean {
  return courses.length === 0 || courses.includes(course)
}

interface Placed<Student> {
  student: Student
  // Null if students are placed without sections.
  sectionId: string | null
}

interface Left<Student> {
  student: Student
  reason: LeftReason
}

/**
 * Decides who gets into which section. The preview and the change both use it.
 * @param students in the order of their names
 * @param sections in their order
 */
export function placeStudents<Student extends PlaceableStudent>(
  students: readonly Student[],
  sections: readonly OpenSection[],
  { order, fill }: { order: PlacingOrder; fill: PlacingFill },
) {
  const places = sections.map((section) => ({ section, students: section.students }))
  const placed: Placed<Student>[] = []
  const left: Left<Student>[] = []

  function findPlace(student: Student) {
    const open = places.filter(
      ({ section, students: taken }) =>
        taken < section.capacity && takesSex(section, student) && takesCourse(section, student),
    )
    if (fill === 'in turn') return open[0]
    const share = ({ section, students: taken }: (typeof places)[number]) => taken / section.capacity
    // The first of equally full sections is taken.
    return open.reduce<(typeof places)[number] | undefined>(
      (least, one) => (least === undefined || share(one) < share(least) ? one : least),
      undefined,
    )
  }

  // The students of a course stay in the order of their names.
  const inOrder =
    order === 'name' ? students : [...students].sort((one, other) => compareTexts(one.course, other.course))
  for (const student of inOrder) {
    const place = findPlace(student)
    if (place) {
      place.students += 1
      placed.push({ student, sectionId: place.section.id })
    } else {
      left.push({ student, reason: reasonOf(student, sections) })
    }
  }
  return { placed, left, filled: new Map(places.map(({ section, students: held }) => [section.id, held])) }
}

const compareTexts = (one: string, other: string) => (one < other ? -1 : Number(one > other))

function reasonOf(student: PlaceableStudent, sections: readonly OpenSection[]): LeftReason {
  const ofSex = sections.filter((section) => takesSex(section, student))
  if (ofSex.length === 0) return 'sex'
  return ofSex.some((section) => takesCourse(section, student)) ? 'full' : 'course'
}

const takenWords: Readonly<Record<string, string>> = { Female: 'women', Male: 'men' }

/** @param value the sex or the course; '' of the others */
export function leftSentence(reason: LeftReason, value: string): string {
  if (reason === 'full') return 'All sections that take these students are full.'
  return `No section takes ${reason === 'sex' ? (takenWords[value] ?? `the sex “${value}”`) : value}.`
}

import * as z from 'zod/mini'
import { dayOf, shapeError } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { type EnrolmentEntry, type EnrolmentStatus, levels, sectionMessages } from './terms.ts'

export const enrolmentStatuses = [
  'enrolled',
  'dropped',
  'moved',
] as const satisfies readonly EnrolmentStatus[]

export const enrolmentEntries = [
  'new',
  'continuing',
  'repeating',
  'transferee',
  'cross-enrolled',
] as const satisfies readonly EnrolmentEntry[]

/** What an enrolment lacks. */
export const missingOfEnrolments = ['none', 'section', 'official', 'mark'] as const
export type MissingOfEnrolment = (typeof missingOfEnrolments)[number]

export const enrolmentOrders = ['name', 'studentId', 'course', 'sex', 'section', 'entry'] as const
export type EnrolmentOrder = (typeof enrolmentOrders)[number]
export type EnrolmentSort = EnrolmentOrder | `-${EnrolmentOrder}`

export const enrolmentSorts: readonly EnrolmentSort[] = enrolmentOrders.flatMap(
  (order) => [order, `-${order}`] as const,
)

export const enrolmentLimits = { reason: 300, school: 120, changedAtOnce: 5_000, addedAtOnce: 200 } as const

const figure = (count: number) => count.toLocaleString('en-US')

export const enrolmentMessages = {
  ids: `Please select ${figure(enrolmentLimits.changedAtOnce)} students or fewer.`,
  added: `Please add ${enrolmentLimits.addedAtOnce} students or fewer at once.`,
  none: 'Please select at least one student.',
  section: 'Please choose a section.',
  entry: 'Please choose how the students enter the term.',
  on: 'Please enter the day as a date.',
  missing: 'This enrollment could not be found.',
  gone: 'Some of the selected students are no longer enrolled here, so nothing was changed. Please select again.',
  unknown: 'Some of the selected students no longer exist, so nobody was added. Please search again.',
  terms: 'Please select students of one term.',
  noRoom: (label: string, room: number, wanted: number) =>
    room === 0 ? `${label} is full.` : `${label} has room for ${figure(room)} more, not ${figure(wanted)}.`,
  otherCell: (label: string) => `${label} doesn’t take students of this component and level.`,
  already: (name: string) => `${name} is already enrolled in this level of the term.`,
  passed: (name: string) => `${name} already passed this level.`,
  credited: (name: string) => `${name} has a credit of this level, or is exempt.`,
  blocked: (name: string) => `The record of ${name} is blocked.`,
  withoutComponent: (name: string) =>
    `${name} has no NSTP component yet. Please choose it in the record first.`,
} as const

const idsOf = (most: number, tooMany: string) =>
  z.array(z.uuid(tooMany), tooMany).check(z.minLength(1, enrolmentMessages.none), z.maxLength(most, tooMany))

const ids = idsOf(enrolmentLimits.changedAtOnce, enrolmentMessages.ids)
const on = dayOf(enrolmentMessages.on)
const reason = z._default(line('reason', enrolmentLimits.reason, { required: false }), '')
const level = z.literal(levels, sectionMessages.level)
// Null means no section.
const sectionId = z._default(z.nullable(z.uuid(enrolmentMessages.section)), null)

export const sectionChangeSchema = z.strictObject(
  { ids, sectionId, reason },
  shapeError('Please send the students and their section.'),
)
export type SectionChange = z.output<typeof sectionChangeSchema>

export const dropSchema = z.strictObject(
  { ids, on, reason },
  shapeError('Please send who dropped, and when.'),
)
export type Drop = z.output<typeof dropSchema>

export const moveSchema = z.strictObject(
  { component: z.enum(nstpComponents, sectionMessages.component), level, sectionId, on, reason },
  shapeError('Please send where the student is moved.'),
)
export type Move = z.output<typeof moveSchema>

export const addedSchema = z.strictObject(
  {
    studentIds: idsOf(enrolmentLimits.addedAtOnce, enrolmentMessages.added),
    level,
    entry: z.enum(enrolmentEntries, enrolmentMessages.entry),
    // The home school of the cross-enrolled.
    school: z._default(line('school', enrolmentLimits.school, { required: false }), ''),
    sectionId,
    on,
  },
  shapeError('Please send who is added to the term.'),
)
export type Added = z.output<typeof addedSchema>

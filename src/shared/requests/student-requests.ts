import * as z from 'zod/mini'
import { excuseGrounds } from '#shared/attendance/excuse-grounds.ts'
import { fieldMessages, shapeError } from '#shared/field-rules.ts'
import { formText } from '#shared/form-text.ts'
import { ageOn, type CalendarDate, isCalendarDate } from '#shared/program-calendar.ts'
import { registrationComponents, yearLevelLabel } from '#shared/students/student-choices.ts'
import { changersFields, editableFields } from '#shared/students/student-edit.ts'
import { everyField, type StudentField } from '#shared/students/student-fields.ts'
import { requestLimits, type StudentRequestKind, studentRequestKinds } from './request-kinds.ts'

/** A field's value when it was asked for, and the wanted one. */
export type RequestedChanges = Partial<Record<StudentField, { from: string; to: string }>>

/** What a correction may be asked for: the form's fields but those that only some of the office may change. */
export const correctableFields: readonly StudentField[] = editableFields.filter(
  (field) => !changersFields.includes(field),
)

/** The kinds that become a request of the screen Privacy, which has the dates of the law. */
export const privacyKinds = { copy: 'copy', blocking: 'objection', erasure: 'erasure' } as const

export function isPrivacyKind(kind: StudentRequestKind): kind is keyof typeof privacyKinds {
  return Object.hasOwn(privacyKinds, kind)
}

/** An archived record has none of these: they change the record, or what is called of it. */
const changingKinds: readonly StudentRequestKind[] = ['correction', 'component', 'absence']
const kindsWithReason: readonly StudentRequestKind[] = ['component', 'absence', 'blocking', 'erasure']
const kindsOfGuardian: readonly StudentRequestKind[] = ['component', 'blocking', 'erasure']

/** Decision 042: below 18, as of today, the guardian of record is asked first. */
export function needsGuardianFor(
  kind: StudentRequestKind,
  today: CalendarDate,
  dateOfBirth: string,
): boolean {
  return kindsOfGuardian.includes(kind) && isCalendarDate(dateOfBirth) && ageOn(today, dateOfBirth) < 18
}

export const requestMessages = {
  kind: 'Please choose what you ask for.',
  reason: 'Please write why: the office needs it to decide.',
  nothing: 'Please enter at least one value that is to change.',
  noFields: 'Only a correction or a change of component changes fields.',
  unchanged: 'This is what the record says already.',
  component: 'Please choose one of the offered components.',
  day: 'Please choose a training day on which you were absent or not called yet, or one to come.',
  ground: 'Please choose a ground.',
  noDay: 'Only an excused absence has a training day and a ground.',
  done: 'You completed the program or are exempt from it, so your component stays.',
  open: `You have ${requestLimits.open} open requests. Withdraw one, or wait for the office to answer.`,
  aDay: `You have made ${requestLimits.aDay} requests within a day. Please make the next one tomorrow.`,
  same: 'You have asked for this already. The office will answer that request.',
  archived: 'Your record is archived: you can ask for a copy, for blocking or for erasure.',
  missing: 'This request does not exist.',
  decided: 'The office has answered this request meanwhile.',
  isGranted:
    'The student was told that this erasure was granted. Delete the record: that closes the request.',
  decidedByOther: 'This request was decided or withdrawn meanwhile. Please look at it again.',
  recordChanged: 'The record was changed since you opened this request. Please look at it again.',
  movedOn:
    'The record says something else by now than when the student asked. Please accept the fields one by one.',
  answer: 'Please write why: the student reads it.',
  guardian: 'The student is below 18. Speak with the guardian of record first, then tick that you did.',
  hidden: 'This request has fields that your account does not see. Somebody who sees them decides it.',
  privacy: 'An administrator or a privacy officer decides this, here or on the screen Privacy.',
  change: 'Only an administrator or a coordinator can change the component.',
  excuse:
    'Only an administrator or a coordinator who works with the component of this training day can decide this.',
  notOfDay: 'The student no longer trains on this day. Please refuse this, and say so in your answer.',
  isBlocked:
    'The record is blocked: it has no attendance. Unblock it first, in the menu of the record, or refuse this.',
  dayCancelled: 'The training day was cancelled: nobody is absent on it. Refuse this, and say so.',
  notBlocked: 'Block the record first: in Student Management, in the menu of the record. Then grant this.',
  askOffice: 'Please ask the NSTP office for the reason.',
} as const

const shape = shapeError(
  'A request is one object with its kind, what it asks for and the reason.',
  (names) => `These are not part of a request: ${names}.`,
)

const wantedSchema = z.strictObject(
  everyField(
    (field) => z.optional(z.string(fieldMessages.notText(field))),
    [...correctableFields, 'nstpComponent'],
  ),
  shapeError(
    'The changes are one object with the wanted values.',
    (names) => `The office can’t be asked to change these: ${names}.`,
  ),
)

/** The wanted values are checked by the rules of an edit, which know the record. */
export const studentRequestSchema = z
  .strictObject(
    {
      kind: z.enum(studentRequestKinds, requestMessages.kind),
      changes: z.prefault(wantedSchema, {}),
      dayId: z.prefault(z.nullable(z.uuid(requestMessages.day)), null),
      ground: z.prefault(z.enum(['', ...excuseGrounds], requestMessages.ground), ''),
      reason: z.prefault(formText('reason', { max: requestLimits.reason, multiline: true }), ''),
    },
    shape,
  )
  .check(({ value, issues }) => {
    if (issues.length > 0) return
    const { kind, changes, dayId, ground, reason } = value
    const fault = faultOfChanges(kind, changes)
    if (fault) issues.push({ code: 'custom', ...fault, input: changes })
    const isAbsence = kind === 'absence'
    const needed = { dayId: requestMessages.day, ground: requestMessages.ground }
    for (const [name, given] of [
      ['dayId', dayId !== null],
      ['ground', ground !== ''],
    ] as const) {
      const message = isAbsence ? needed[name] : requestMessages.noDay
      if (given !== isAbsence) issues.push({ code: 'custom', path: [name], message, input: value[name] })
    }
    if (reason === '' && kindsWithReason.includes(kind)) {
      issues.push({ code: 'custom', path: ['reason'], message: requestMessages.reason, input: reason })
    }
  })

function faultOfChanges(kind: StudentRequestKind, changes: z.output<typeof wantedSchema>) {
  const fields = Object.keys(changes)
  const kindOf = (field: string) => (field === 'nstpComponent' ? 'component' : 'correction')
  if (fields.some((field) => kindOf(field) !== kind)) {
    return { path: ['changes'], message: requestMessages.noFields }
  }
  if (kind === 'correction' && fields.length === 0) {
    return { path: ['changes'], message: requestMessages.nothing }
  }
  const isOffered = registrationComponents.some((name) => name === changes.nstpComponent)
  return kind === 'component' && !isOffered
    ? { path: ['changes', 'nstpComponent'], message: requestMessages.component }
    : undefined
}

export type NewStudentRequest = z.output<typeof studentRequestSchema>

export const decisionSchema = z.strictObject(
  {
    version: z.int('Please send the version of the request.'),
    recordVersion: z.int('Please send the version of the record.'),
    accept: z.union([z.literal('all'), z.array(z.string())], 'Please send the accepted fields, or all.'),
    answer: z.prefault(formText('answer', { max: requestLimits.answer, multiline: true }), ''),
    guardianAgreed: z.prefault(z.boolean('Please send true or false.'), false),
  },
  shapeError('A decision is one object.'),
)

export type Decision = z.output<typeof decisionSchema>

/** Whether a request concerns all of the record, and names no field. */
export const isOfWholeRecord = (kind: StudentRequestKind): boolean =>
  kind === 'blocking' || kind === 'erasure'

/** Whether an archived record may be asked for it. */
export function isOfArchived(kind: StudentRequestKind): boolean {
  return !changingKinds.includes(kind)
}

/** A field's value as it is asked for and shown. */
export function textOfValue(value: string | number): string {
  return typeof value === 'number' ? yearLevelLabel(value) : value
}

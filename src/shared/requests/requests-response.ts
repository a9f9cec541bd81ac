import { z } from '@hono/zod-openapi'
import { attendanceStates } from '#shared/attendance/calls.ts'
import { excuseGrounds } from '#shared/attendance/excuse-grounds.ts'
import { namedObject } from '#shared/named-object.ts'
import { paperStates } from '#shared/papers/papers.ts'
import { restrictions } from '#shared/privacy/privacy.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { studentRequestKinds, studentRequestStates } from './request-kinds.ts'

const instant = z.iso.datetime()

const request = {
  id: z.uuid(),
  kind: z.enum(studentRequestKinds),
  askedAt: instant,
  state: z.enum(studentRequestStates),
  isPart: z.boolean().describe('Granted, but not all of its changes.'),
  decidedAt: instant.nullable(),
  absence: z
    .object({
      dayId: z.uuid(),
      heldOn: z.iso.date(),
      startsAt: z.string(),
      title: z.string(),
      isCancelled: z
        .boolean()
        .describe(
          'The training day was cancelled, if only for the section of the student: the request can only be refused.',
        ),
      ground: z.enum(excuseGrounds),
      called: z
        .enum(attendanceStates)
        .nullable()
        .describe('What is called of the student on this day by now.'),
    })
    .nullable()
    .describe('Of an excused absence, for the student and who may decide it.'),
  waitsForGuardian: z.boolean().describe('Open, and of a student below 18 whose guardian is asked first.'),
}

const change = {
  field: z.enum(studentFieldNames),
  label: z.string(),
  from: z.string().describe('The value when it was asked.'),
  to: z.string(),
  granted: z.boolean().nullable().describe('Null while it is open.'),
}

const texts = {
  reason: z.string(),
  answer: z.string().describe('The sentence of the office.'),
}

export const ownRequestsSchema = namedObject('OwnRequests', {
  items: z.array(namedObject('StudentRequest', { ...request, ...texts, changes: z.array(z.object(change)) })),
  left: z
    .object({ open: z.int(), today: z.int() })
    .describe(
      'How many more corrections, changes of component and excused absences may be open, and requests be made within the day.',
    ),
})

export type OwnRequests = z.infer<typeof ownRequestsSchema>
export type StudentRequest = OwnRequests['items'][number]

const listed = {
  ...request,
  studentId: z.uuid(),
  reference: z.string(),
  name: z.string(),
  component: z.string(),
  labels: z.array(z.string()).describe('Of the fields that the account sees.'),
  dueOn: z.iso.date().nullable().describe('Of a copy, blocking and erasure.'),
}

export const requestPageSchema = namedObject('RequestPage', {
  items: z.array(namedObject('ListedRequest', listed)),
  nextCursor: z.string().nullable(),
})

export const requestCountsSchema = namedObject('RequestCounts', {
  open: z.int().describe('Those that the account can decide.'),
  oldest: instant.nullable().describe('When the oldest of them was made.'),
})

export type ListedRequest = z.infer<typeof requestPageSchema>['items'][number]

export const officeRequestSchema = namedObject('OfficeRequest', {
  ...listed,
  ...texts,
  version: z.int(),
  recordVersion: z.int(),
  changes: z.array(z.object({ ...change, now: z.string().describe('What the record says now.') })),
  hindrance: z.string().describe('Why the account can’t decide it; empty when it can.'),
  archived: z.boolean(),
  restriction: z.enum(restrictions).nullable(),
  formerReferences: z.array(z.string()).describe('Of records that were merged into this one.'),
  guardian: z
    .object({ name: z.string(), relationship: z.string(), contactNumber: z.string() })
    .nullable()
    .describe('Of a student below 18 whose guardian is asked first.'),
  papers: z
    .array(
      z.object({
        id: z.uuid(),
        title: z.string(),
        state: z.enum(paperStates),
        sentOn: z.iso.date().nullable(),
        labels: z
          .array(z.string())
          .describe('The fields that the paper has as they were; none of blocking and erasure.'),
      }),
    )
    .describe(
      'Frozen papers that list the student with one of the fields. Blocking and erasure concern all of them.',
    ),
  certificates: z.array(z.string()).describe('The numbers of valid certificates with one of the fields.'),
})

export type OfficeRequest = z.infer<typeof officeRequestSchema>

import { z } from '@hono/zod-openapi'
import { standingSchema } from '#shared/attendance/attendance-response.ts'
import { attendanceStates } from '#shared/attendance/calls.ts'
import { readingKinds } from '#shared/audit/reading-actions.ts'
import { certificateKinds } from '#shared/certificates/certificates.ts'
import { namedObject } from '#shared/named-object.ts'
import { paperStates } from '#shared/papers/papers.ts'
import { roles } from '#shared/people/permissions.ts'
import { restrictions } from '#shared/privacy/privacy.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { outcomes } from '#shared/terms/terms.ts'

/** What comes next by the marks that the student may see. */
export const nextSteps = ['first', 'second', 'again', 'incomplete', 'graduate', 'exempt'] as const
export type NextStep = (typeof nextSteps)[number]

const ownDay = {
  id: z.uuid(),
  heldOn: z.iso.date(),
  startsAt: z.string().describe("'07:30', or ''."),
  title: z.string(),
}

const ownAttendance = z.object({
  coming: z
    .array(z.object({ ...ownDay, isCancelled: z.boolean(), isMakeUp: z.boolean() }))
    .describe('Up to the next training day, the cancelled ones and make-up days before it too.'),
  standing: standingSchema.describe('As the office reads it.'),
  lates: z.int().nullable().describe('So many count as an absence.'),
  days: z
    .array(z.object({ ...ownDay, state: z.enum(attendanceStates) }))
    .describe('Those that count, in the order of their dates.'),
  excusable: z
    .array(z.object(ownDay))
    .describe('Days of absence, days not called yet, and days to come: what an excuse can be asked for.'),
})
export type OwnAttendance = z.infer<typeof ownAttendance>
export type OwnDay = OwnAttendance['excusable'][number]

export const myPageSchema = namedObject('MyPage', {
  student: z.object({
    reference: z.string(),
    firstName: z.string(),
    academicYear: z.string(),
    archived: z.boolean(),
    restriction: z.enum(restrictions).nullable(),
    isMinor: z.boolean(),
    mayChangeComponent: z.boolean().describe('Neither has completed the program, nor is exempt.'),
  }),
  where: z
    .object({
      state: z.enum(['waiting', 'enrolled', 'placed', 'dropped']),
      component: z.string(),
      level: z.string().describe("As the office names it; '' while the student waits for a term."),
      term: z.string(),
      section: z.string(),
      adviser: z.string(),
      meets: z.string(),
    })
    .nullable()
    .describe('Of the open term. Null where nothing is to come.'),
  attendance: ownAttendance
    .nullable()
    .describe('Of the open term. Null without training days, and of a blocked record.'),
  result: z
    .object({
      enrolments: z.array(
        z.object({
          term: z.string(),
          component: z.string(),
          level: z.string(),
          mark: z.string(),
          outcome: z.enum(outcomes),
        }),
      ),
      credits: z.array(
        z.object({
          level: z.string().describe("'' for an exemption from both."),
          school: z.string(),
          academicYear: z.string(),
          mark: z.string(),
        }),
      ),
      next: z.enum(nextSteps).nullable(),
    })
    .nullable()
    .describe('By the setting Students see marks.'),
  serial: z
    .object({
      number: z.string(),
      certificates: z.array(
        z.object({
          number: z.string(),
          kind: z.enum(certificateKinds),
          issuedOn: z.iso.date(),
          code: z.string(),
        }),
      ),
      paper: z
        .object({ agency: z.string(), state: z.enum(paperStates), sentOn: z.iso.date().nullable() })
        .nullable()
        .describe('The list of graduates that asked for the serial number, while it is missing.'),
    })
    .nullable(),
})
export type MyPage = z.infer<typeof myPageSchema>

export const myRecordSchema = namedObject('MyRecord', {
  isMinor: z.boolean(),
  sections: z
    .array(
      z.object({
        title: z.string(),
        fields: z.array(z.object({ field: z.enum(studentFieldNames), label: z.string(), value: z.string() })),
      }),
    )
    .describe('All fields of the form, also empty ones.'),
  consent: z.object({
    version: z.string(),
    at: z.iso.datetime(),
    guardian: z.object({ name: z.string(), at: z.iso.datetime() }).nullable(),
  }),
  readings: z
    .array(
      z.object({
        day: z.iso.date(),
        what: z.enum(readingKinds),
        by: z.enum([...roles, 'student', 'portal']),
        times: z.int(),
      }),
    )
    .describe('The latest first, by role and day.'),
})
export type MyRecord = z.infer<typeof myRecordSchema>

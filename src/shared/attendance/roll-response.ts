import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { levels } from '#shared/terms/terms.ts'
import { studentOfClass } from '#shared/terms/terms-response.ts'
import { attendanceStates } from './calls.ts'

const rollSection = z.object({
  id: z.uuid(),
  component: z.enum(nstpComponents),
  level: z.literal(levels),
  label: z.string(),
})

export const rollSectionsSchema = namedObject('RollSections', {
  items: z.array(rollSection).describe('The own sections of the open term, in the order of class lists.'),
  seesPhoneNumbers: z.boolean(),
})

export const rollSchema = namedObject('Roll', {
  section: rollSection,
  days: z
    .array(
      z.object({
        id: z.uuid(),
        heldOn: z.iso.date(),
        title: z.string(),
        startsAt: z.string().describe("'07:30', or ''."),
        isMakeUp: z.boolean().describe('It counts only for who attends it.'),
        isClosed: z
          .boolean()
          .describe('For this section, by the office: calls are taken today, but none is taken back.'),
        isToday: z.boolean(),
      }),
    )
    .describe('Today’s, and earlier ones that the office has not closed; in the order of their dates.'),
  students: z
    .array(studentOfClass.omit({ sex: true, contactNumber: true }))
    .describe('In the order of names.'),
  calls: z.array(
    z.object({
      dayId: z.uuid(),
      studentId: z.uuid(),
      state: z.enum(attendanceStates),
      minutes: z.int().nullable().describe('Late by so many.'),
      version: z.int().describe('To be sent as `seen` with another call.'),
    }),
  ),
  leftOut: z.int().min(0).describe('Blocked records, which are on no roll.'),
})

export const phoneNumbersSchema = namedObject('PhoneNumbers', {
  contactNumber: z.string(),
  emergencyContactName: z.string(),
  emergencyContactNumber: z.string(),
})

export type RollSections = z.infer<typeof rollSectionsSchema>
export type Roll = z.infer<typeof rollSchema>
export type PhoneNumbers = z.infer<typeof phoneNumbersSchema>

import { selectionLimits } from '#server/http/limits.ts'
import { createRouter, formBody, ok, staffRoutes } from '#server/http/router.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { calledAnswerSchema } from '#shared/attendance/attendance-response.ts'
import { rollCallsSchema } from '#shared/attendance/calls.ts'
import { phoneNumbersSchema, rollSchema, rollSectionsSchema } from '#shared/attendance/roll-response.ts'
import { createRoll } from './roll-service.ts'

const facilitator = staffRoutes('roll', 'roll')

const listSections = facilitator.get('/roll', 'List the sections of the account', {
  responses: ok(rollSectionsSchema, 'Sections of the open term that the account has, if any.'),
})

const readRoll = facilitator.get('/roll/{id}', 'Read the roll of a section of the account', {
  responses: ok(rollSchema, 'Days, students and who was there.'),
})

const callRoll = facilitator.post('/roll/{id}', 'Call the roll of a section of the account', {
  description:
    'Like calls of the office, but nobody is excused, and who is excused stays so. Calls of who left the section, of a day that ' +
    'isn’t on the roll, and of whom the office called since are left out. A closed day takes calls that were made on it, by ' +
    '`calledAt`. A call with an id that is already known is none. ' +
    'Of calls of two phones the one that was made later holds, by `calledAt`; a time before the day or to come is taken as now. ' +
    'Calls of another account than the one that is signed in are refused.',
  limits: selectionLimits,
  body: formBody(rollCallsSchema, 'RollCalls', 'Without a state, the call before is taken back.'),
  responses: ok(calledAnswerSchema, 'How many were new, and how many were left out.'),
  problems: ['conflict'],
})

const readPhoneNumbers = facilitator.get('/roll/students/{id}', 'Read the phone numbers of a student', {
  description:
    'The student is in a section of the account, which must be allowed this. Each reading is recorded in the audit trail.',
  responses: ok(phoneNumbersSchema, 'The numbers of the student and of the emergency contact.'),
})

/** The routes of facilitators, for the sections of the account alone. */
export function createRollRoutes(context: AppContext) {
  const roll = createRoll(context)

  return createRouter()
    .answer(listSections, ({ actor }) => roll.list(actor))
    .answer(readRoll, ({ id, actor }) => roll.read(id, actor))
    .answer(callRoll, ({ id, body, actor }) => roll.call(id, body, actor))
    .answer(readPhoneNumbers, async ({ id, actor, admit }) => {
      await admit([id])
      return await roll.phoneNumbers(id, actor)
    })
}

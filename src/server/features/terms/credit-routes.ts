import { selectionLimits, selectionMs } from '#server/http/limits.ts'
import { created, createRouter, done, formBody, ok, staffRoutes } from '#server/http/router.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { creditSchema, earlierGraduatesSchema, revokeSchema } from '#shared/terms/credits.ts'
import {
  addedCreditSchema,
  creditedGraduatesSchema,
  programSchema,
  undoneCreditsSchema,
} from '#shared/terms/program-response.ts'
import { createCredits } from './credit-service.ts'
import { createProgram } from './program-service.ts'

const tag = 'terms'
const changer = staffRoutes(tag, 'credits')

const readProgram = staffRoutes(tag, 'terms.read').get(
  '/students/{id}/program',
  'Read what a student did of NSTP',
  {
    description: 'A student counts among the whole records of the hour, once with the record.',
    responses: ok(programSchema, 'Terms, credits and exemptions.'),
    problems: ['proof_needed'],
  },
)

const addCredit = changer.post('/students/{id}/credits', 'Credit a level, or exempt a student', {
  body: formBody(creditSchema, 'NewCredit', 'With what was seen as evidence.'),
  responses: created(addedCreditSchema, 'Added. Placing and continuing count it from now on.'),
  problems: ['conflict'],
})

const addEarlier = changer.post('/credits', 'Credit both levels to many who graduated before this system', {
  description:
    'All or none exist. Levels that are passed or credited already stay as they are, and so do blocked records. Their ' +
    'maker may undo it within ten minutes.',
  limits: selectionLimits,
  body: formBody(earlierGraduatesSchema, 'EarlierGraduates', 'Who, when, and what was seen as evidence.'),
  responses: ok(creditedGraduatesSchema, 'How many got credits.'),
  problems: ['conflict'],
})

const undoEarlier = changer.post('/credits/batches/{id}/undo', 'Undo credits of many', {
  description: 'By who added them, within ten minutes. Those that were revoked since stay revoked.',
  limits: { deadlineMs: selectionMs },
  responses: ok(undoneCreditsSchema, 'How many students lost their credits.'),
})

const revokeCredit = changer.post('/credits/{id}/revoke', 'Revoke a credit or exemption', {
  description: 'It stays in the record, with the reason.',
  body: formBody(revokeSchema, 'RevokedCredit', 'Why.'),
  responses: done('Revoked.'),
})

export function createCreditRoutes(context: AppContext) {
  const credits = createCredits(context)
  const program = createProgram(context)
  return createRouter()
    .answer(readProgram, async ({ id, actor, admit }) => {
      await admit([id])
      return await program.read(id, actor)
    })
    .answer(addCredit, ({ id, body, actor }) => credits.add(id, body, actor))
    .answer(addEarlier, ({ body, actor }) => credits.addEarlierGraduates(body, actor))
    .answer(undoEarlier, ({ id, actor }) => credits.undoEarlierGraduates(id, actor))
    .answer(revokeCredit, ({ id, body, actor }) => credits.revoke(id, body.reason, actor))
}

import { takeRecords } from '#server/http/auth.ts'
import { createRouter, formBody, json, noContent, staffRoutes } from '#server/http/router.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { creditSchema, revokeSchema } from '#shared/terms/credits.ts'
import { addedCreditSchema, programSchema } from '#shared/terms/program-response.ts'
import { createCredits } from './credit-service.ts'
import { createProgram } from './program-service.ts'

const tag = 'terms'
const changer = staffRoutes(tag, 'credits')

const readProgram = staffRoutes(tag, 'terms.read').get(
  '/students/{id}/program',
  'Read what a student did of NSTP',
  { responses: { 200: json(programSchema, 'Terms, credits and exemptions.') }, problems: ['proof_needed'] },
)

const addCredit = changer.post('/students/{id}/credits', 'Credit a level, or exempt a student', {
  request: { body: formBody(creditSchema, 'NewCredit', 'With what was seen as evidence.') },
  responses: { 201: json(addedCreditSchema, 'Added. Placing and continuing count it from now on.') },
  problems: ['conflict'],
})

const revokeCredit = changer.post('/credits/{id}/revoke', 'Revoke a credit or exemption', {
  description: 'It stays in the record, with the reason.',
  request: { body: formBody(revokeSchema, 'RevokedCredit', 'Why.') },
  responses: { 204: { description: 'Revoked.' } },
})

export function createCreditRoutes(context: AppContext) {
  const credits = createCredits(context)
  const program = createProgram(context)
  return createRouter()
    .openapi(readProgram, async (c) => {
      const admit = () => takeRecords(1, c.var.admin)
      return c.json(await program.read(c.req.valid('param').id, c.var.actor, admit), 200)
    })
    .openapi(addCredit, async (c) =>
      c.json(await credits.add(c.req.valid('param').id, c.req.valid('json'), c.var.actor), 201),
    )
    .openapi(revokeCredit, (c) =>
      noContent(c, credits.revoke(c.req.valid('param').id, c.req.valid('json').reason, c.var.actor)),
    )
}

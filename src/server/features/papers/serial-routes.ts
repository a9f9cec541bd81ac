import { mustBe } from '#server/http/auth.ts'
import { selectionMs } from '#server/http/limits.ts'
import { created, createRouter, formBody, staffRoutes } from '#server/http/router.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { importBody } from '#shared/imports/import-response.ts'
import { serialRangeSchema } from '#shared/papers/papers.ts'
import { createSerialRange, type RangeNeeds } from './serial-range-service.ts'

const dealRange = staffRoutes('papers', 'papers').post(
  '/papers/{id}/range',
  'Deal out a range of serial numbers',
  {
    description:
      'To the graduates of one component without a number, in the order of the frozen paper. An import of serial numbers, ' +
      'which is checked and can then be applied.',
    limits: { deadlineMs: selectionMs },
    body: formBody(
      serialRangeSchema,
      'SerialRange',
      'The first and the last, and the letter with which they came.',
    ),
    responses: created(importBody, 'The import, being checked.'),
    problems: ['invalid', 'conflict'],
  },
)

export function createSerialRoutes(context: AppContext, needs: RangeNeeds) {
  const deal = createSerialRange(context, needs)
  return createRouter().answer(dealRange, async ({ c, id, body, actor }) => {
    await mustBe(c, 'imports')
    return await deal(id, body, actor)
  })
}

import { z } from '@hono/zod-openapi'
import { mustBe } from '#server/http/auth.ts'
import { selectionMs } from '#server/http/limits.ts'
import { createRouter, done, formBody, ok, staffRoutes } from '#server/http/router.ts'
import { namedObject } from '#shared/named-object.ts'
import { paperAnswersSchema, paperFixesSchema } from '#shared/papers/papers.ts'
import { paperCheckSchema } from '#shared/papers/papers-response.ts'
import type { createChecks } from './check-service.ts'

const staff = staffRoutes('papers', 'papers')
const limits = { deadlineMs: selectionMs }

const checkPaper = staff.post('/papers/{id}/check', 'Check a draft', {
  description:
    'What must be fixed, what to look at, and notes, by rule. Who is left out isn’t checked. The first 20 rows are shown.',
  limits,
  responses: ok(paperCheckSchema, 'The findings.'),
  problems: ['conflict'],
})

const fixPaper = staff.post('/papers/{id}/fixes', 'Correct what a rule proposes', {
  description:
    'The records of these people, or with null of everybody of whom the rule proposes something and nobody said that it is meant. Whoever was changed since stays as they are. For ten minutes it can be undone as a change of many students.',
  limits,
  body: formBody(paperFixesSchema, 'PaperFix', 'As the check says them.'),
  responses: ok(
    namedObject('PaperFixes', {
      id: z.uuid().describe('Of the change, to undo it.'),
      fixed: z.int().describe('Students whose record was corrected.'),
      skipped: z.int().describe('Those who were changed since.'),
    }),
    'What was corrected.',
  ),
  problems: ['conflict'],
})

const answerCheck = staff.put('/papers/{id}/answers', 'Answer findings', {
  description:
    '`meant`: what a rule asks is right. `left out`: these students, by their ids, aren’t in the paper. Null takes an answer back.',
  body: formBody(paperAnswersSchema, 'PaperAnswer', 'The answer, with its reason.'),
  responses: done('Noted.'),
  problems: ['conflict'],
})

export function createCheckRoutes(checks: ReturnType<typeof createChecks>) {
  return createRouter()
    .answer(checkPaper, ({ id, actor }) => checks.check(id, actor))
    .answer(fixPaper, async ({ c, id, body, actor }) => {
      await mustBe(c, 'students.edit')
      return await checks.fix(id, body, actor)
    })
    .answer(answerCheck, ({ id, body, actor }) => checks.answer(id, body, actor))
}

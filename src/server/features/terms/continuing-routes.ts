import { selectionMs } from '#server/http/limits.ts'
import { createRouter, formBody, ok, staffRoutes } from '#server/http/router.ts'
import { keyHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { confirmedContinuationSchema, continuationSchema } from '#shared/terms/continuing.ts'
import { batchSchema, continuationPreviewSchema } from '#shared/terms/terms-response.ts'
import { createContinuing } from './continuing-service.ts'

const staff = staffRoutes('terms', 'enrolments')

const limits = { deadlineMs: selectionMs }

const preview = staff.post('/terms/{id}/continuations/preview', 'Preview who continues in a term', {
  description:
    'Students of a term of this academic year or the one before who aren’t enrolled in this one, by the mark of the ' +
    'latest: for each group whether they go on to NSTP 2, repeat the level, or stay out.',
  limits,
  body: formBody(continuationSchema, 'Continuation', 'What each group does.'),
  responses: ok(continuationPreviewSchema, 'What the confirmation will do.'),
  problems: ['conflict'],
})

const confirm = staff.post('/terms/{id}/continuations', 'Continue students in a term', {
  description: 'Exactly as in the preview whose basis is sent, or nobody. Nobody continues twice.',
  limits,
  headers: keyHeader('a repeated request takes nobody in again.'),
  body: formBody(confirmedContinuationSchema, 'ConfirmedContinuation', 'With the basis of the preview.'),
  responses: ok(batchSchema, 'How many continue.'),
})

export function createContinuingRoutes(context: AppContext) {
  const continuing = createContinuing(context)
  return createRouter()
    .answer(preview, ({ id, body, access }) => continuing.preview(id, body, access))
    .answer(confirm, ({ id, body, key, actor }) => continuing.continue(id, body, key, actor))
}

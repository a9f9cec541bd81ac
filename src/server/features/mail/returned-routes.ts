import { z } from '@hono/zod-openapi'
import { adminRoutes, createRouter, json } from '#server/http/router.ts'
import { mailboxSchema, returnedPageSchema } from '#shared/mail/mail-response.ts'
import { returnedSentences } from '#shared/mail/returned-mail.ts'
import type { ReturnedMailService } from './returned-service.ts'

const admin = adminRoutes('mail', returnedSentences.onlyAdmins)

const listReturned = admin.get('/mail/bounces', 'Bounced addresses', {
  description:
    'Returned messages that are not resolved, newest first. An entry is resolved when the student’s address changes.',
  request: {
    query: z.strictObject({
      cursor: z.string().default('').openapi({ description: 'The nextCursor of the previous page.' }),
    }),
  },
  responses: {
    200: json(returnedPageSchema, 'A page of the list.'),
  },
})

const resolveReturned = admin.post('/mail/bounces/{id}/resolve', 'Resolve an entry', {
  request: { params: z.object({ id: z.string() }) },
  responses: { 204: { description: 'Resolved.' } },
  problems: ['not_found'],
})

const checkMailbox = admin.post('/mail/bounces/check', 'Check the mailbox for returned messages', {
  description:
    'Responds when the mailbox was read, or after 15 seconds while reading continues. The mailbox is not changed.',
  responses: { 200: json(mailboxSchema, 'The result.') },
  problems: ['invalid'],
})

export function createReturnedMailRoutes({ returned }: { returned: ReturnedMailService }) {
  return createRouter()
    .openapi(listReturned, async (c) => c.json(await returned.list(c.req.valid('query').cursor), 200))
    .openapi(checkMailbox, async (c) => c.json(await returned.checkNow(), 200))
    .openapi(resolveReturned, async (c) => {
      await returned.resolve(c.req.valid('param').id, c.var.actor)
      return c.body(null, 204)
    })
}

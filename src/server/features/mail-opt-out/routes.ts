import { createRoute, z } from '@hono/zod-openapi'
import { documented } from '#server/http/documented.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { announcementChoiceSchema, optOutSentences } from '#shared/mail-opt-out.ts'
import type { OptOutService } from './service.ts'

const choice = z
  .object({
    address: z
      .string()
      .openapi({ description: 'Only its first letter and its host.', example: 'a…@example.com' }),
    announcements: z.boolean(),
  })
  .openapi('AnnouncementChoice')

const readChoice = createRoute({
  method: 'get',
  path: '/mail/opt-out',
  tags: ['mail'],
  summary: 'Whether the address of an unsubscribe link gets announcements',
  request: {
    query: z.object({
      token: z.string(optOutSentences.unknownLink).openapi({ description: 'From the link in an e-mail.' }),
    }),
  },
  responses: {
    200: json(choice, 'As it stands.'),
    ...problems('invalid', 'not_found', 'too_many_requests'),
  },
})

const changeChoice = createRoute({
  method: 'post',
  path: '/mail/opt-out',
  tags: ['mail'],
  summary: 'Stop announcements to the address of an unsubscribe link, or have them again',
  request: {
    body: {
      required: true,
      ...json(documented(announcementChoiceSchema, 'NewAnnouncementChoice'), 'The wish.'),
    },
  },
  responses: {
    200: json(choice, 'As it stands now.'),
    ...problems('invalid', 'not_found', 'too_many_requests'),
  },
})

const noStore = { 'Cache-Control': 'no-store' }

/** For whoever has an unsubscribe link: no session. */
export function createOptOutRoutes({
  optOuts,
}: {
  optOuts: Pick<OptOutService, 'byToken' | 'changeByToken'>
}) {
  return createRouter()
    .openapi(readChoice, async (c) => {
      await c.var.takePoint('optOut')
      return c.json(await optOuts.byToken(c.req.valid('query').token), 200, noStore)
    })
    .openapi(changeChoice, async (c) => {
      await c.var.takePoint('optOut')
      const { token, announcements } = c.req.valid('json')
      return c.json(await optOuts.changeByToken(token, announcements), 200, noStore)
    })
}

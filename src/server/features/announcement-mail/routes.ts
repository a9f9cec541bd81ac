import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { mailingsAtOnce } from '#shared/announcement-mail.ts'
import { announcementSentences } from '#shared/announcements.ts'
import type { AnnouncementMailService } from './service.ts'

const admin = {
  middleware: [requireAdmin(announcementSentences.onlyAdminsEdit)],
  security: [{ session: [] }],
  tags: ['announcements'],
}

const mailingSchema = z
  .object({
    announcementId: z.uuid(),
    batchId: z.uuid(),
    recipientCount: z.number().int(),
    sentCount: z.number().int(),
    optedOutCount: z.number().int().openapi({ description: 'Students who want no announcements by mail.' }),
  })
  .openapi('AnnouncementMailing')

const listMailings = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/announcements',
  summary: 'How far the mailings of announcements are',
  request: {
    query: z.strictObject({
      ids: z
        .string('Please give the ids of the announcements.')
        .transform((ids) => ids.split(',').filter((id) => id !== ''))
        .refine((ids) => ids.length <= mailingsAtOnce, `Please give ${mailingsAtOnce} ids or fewer.`)
        .openapi({ type: 'string', description: 'Announcements, separated by commas.' }),
    }),
  },
  responses: {
    200: json(
      z.object({ items: z.array(mailingSchema) }).openapi('AnnouncementMailings'),
      'Of those that were mailed.',
    ),
    ...problems('unauthenticated', 'invalid'),
  },
})

const mailAnnouncement = createRoute({
  ...admin,
  method: 'post',
  path: '/announcements/{id}/mail',
  summary: 'Mail an announcement now that was not mailed when it was published',
  description: 'One that was mailed is not mailed again.',
  request: { params: z.object({ id: z.string() }) },
  responses: {
    204: { description: 'Its mails are on their way.' },
    ...problems('unauthenticated', 'not_found', 'invalid', 'unavailable', 'too_big'),
  },
})

/** The side of the API where announcements are mailed. */
export function createAnnouncementMailRoutes({ mailings }: { mailings: AnnouncementMailService }) {
  return createRouter()
    .openapi(listMailings, async (c) => {
      return c.json({ items: await mailings.mailings(c.req.valid('query').ids) }, 200)
    })
    .openapi(mailAnnouncement, async (c) => {
      await mailings.mailNow(c.req.valid('param').id, await actorOf(c))
      return c.body(null, 204)
    })
}

import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import type { UnseenStudents } from './unseen-service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['students'] }

const countUnseen = createRoute({
  ...admin,
  method: 'get',
  path: '/students/unseen',
  summary: 'Registrations since the list was last opened',
  responses: {
    200: json(
      z.object({ count: z.number().int().min(0).max(1_000) }).openapi('UnseenStudents'),
      'By this administrator. 1,000 stands for that many or more.',
    ),
    ...problems('unauthenticated'),
  },
})

const markSeen = createRoute({
  ...admin,
  method: 'put',
  path: '/students/seen',
  summary: 'Note that the list was opened',
  responses: { 204: { description: 'Noted.' }, ...problems('unauthenticated') },
})

/** What the notification bell counts. */
export function createUnseenRoutes({ unseen }: { unseen: UnseenStudents }) {
  return createRouter()
    .openapi(countUnseen, async (c) => c.json({ count: await unseen.count(await actorOf(c)) }, 200))
    .openapi(markSeen, async (c) => {
      await unseen.markSeen(await actorOf(c))
      return c.body(null, 204)
    })
}

import { createRoute, z } from '@hono/zod-openapi'
import { mustBeAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { tagVersion } from '#server/http/version-tag.ts'
import { createAnnouncementChangeRoutes } from './change-routes.ts'
import { createPreviewRoutes } from './preview-routes.ts'
import { announcementSchema, listQuery, listSchema } from './schemas.ts'
import type { AnnouncementsService } from './service.ts'

const tags = ['announcements']

const listAnnouncements = createRoute({
  method: 'get',
  path: '/announcements',
  tags,
  summary: 'Announcements',
  description:
    'What is public now: pinned ones first, then the newest. With all=true an administrator gets all of them, the newest first, with their state and version.',
  request: { query: listQuery },
  responses: { 200: json(listSchema, 'A piece of the list.'), ...problems('invalid', 'unauthenticated') },
})

const readAnnouncement = createRoute({
  method: 'get',
  path: '/announcements/{id}',
  tags,
  summary: 'One announcement',
  description: 'If it is public; an administrator reads any, with its version as ETag.',
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: json(announcementSchema, 'The announcement.'), ...problems('not_found') },
})

/** What changes with every publication, but may be kept to ask again. */
const publicCaching = { 'Cache-Control': 'private, no-cache' }

type AnnouncementRoutesOptions = { announcements: AnnouncementsService } & Parameters<
  typeof createAnnouncementChangeRoutes
>[0]

/** The announcements' side of the API. */
export function createAnnouncementRoutes({ announcements, ...changing }: AnnouncementRoutesOptions) {
  return createRouter()
    .openapi(listAnnouncements, async (c) => {
      const { all, state = null, category = null, limit, cursor } = c.req.valid('query')
      const query = { category, limit, cursor }
      if (all === 'false') return c.json(await announcements.list(query), 200, publicCaching)
      await mustBeAdmin(c)
      return c.json(await announcements.listManaged({ ...query, state }), 200, {
        'Cache-Control': 'no-store',
      })
    })
    .openapi(readAnnouncement, async (c) => {
      const { id } = c.req.valid('param')
      if (!(await c.var.readAdmin())) return c.json(await announcements.read(id), 200, publicCaching)
      return c.json(tagVersion(c, await announcements.readManaged(id)), 200)
    })
    .route('/', createAnnouncementChangeRoutes(changing))
    .route('/', createPreviewRoutes({ announcements }))
}

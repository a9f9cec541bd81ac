import { createRoute, z } from '@hono/zod-openapi'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { announcementLimits, announcementSentences } from '#shared/announcements.ts'
import { textMessages } from '#shared/form-text.ts'
import type { AnnouncementsService } from './service.ts'

const { content: maxContent } = announcementLimits

const preview = createRoute({
  middleware: [requireAdmin(announcementSentences.onlyAdminsAdd)],
  security: [{ session: [] }],
  tags: ['announcements'],
  method: 'post',
  path: '/announcements/preview',
  summary: 'Format a content as an announcement would show it',
  description: 'Stores nothing.',
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.strictObject({
            content: z
              .string(textMessages.notText('content'))
              .max(maxContent, textMessages.tooLong('content', maxContent)),
          }),
        },
      },
    },
  },
  responses: {
    200: json(
      z.object({ contentHtml: z.string().openapi({ description: 'Safe HTML.' }) }),
      'The content as visitors would read it.',
    ),
    ...problems('unauthenticated', 'invalid'),
  },
})

/** Shows the coordinator a content before it is published. */
export function createPreviewRoutes({
  announcements,
}: {
  announcements: Pick<AnnouncementsService, 'preview'>
}) {
  return createRouter().openapi(preview, (c) => {
    const { content } = c.req.valid('json')
    return c.json({ contentHtml: announcements.preview(content) }, 200)
  })
}

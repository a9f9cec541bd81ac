import { createRoute, z } from '@hono/zod-openapi'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { mailPreviewSchema } from '#shared/mail-preview.ts'
import type { MailPreviewService } from './service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }

const listTemplates = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/templates',
  summary: 'The stored templates of bulk mails',
  responses: {
    200: json(
      z.object({
        items: z.array(
          z.object({
            name: z.string().openapi({ description: 'What a bulk mail names as its `template`.' }),
            title: z.string(),
            subject: z.string(),
            text: z.string().openapi({ description: 'With placeholders: to begin one’s own text with.' }),
          }),
        ),
      }),
      'In the order in which to offer them.',
    ),
    ...problems('unauthenticated'),
  },
})

const preview = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/preview',
  summary: 'A message as its recipient would get it',
  description:
    'Stores and sends nothing. With `values` placeholders are filled; a word in braces that is none is refused. ' +
    'The HTML is a whole page for `<iframe sandbox srcdoc>`: it holds no script and loads nothing.',
  request: {
    body: { required: true, ...json(documented(mailPreviewSchema, 'MailPreviewRequest'), 'The message.') },
  },
  responses: {
    200: json(
      z.object({ subject: z.string(), html: z.string(), text: z.string() }),
      'As HTML and as plain text.',
    ),
    ...problems('unauthenticated', 'invalid'),
  },
})

/** What the screens show before mail is sent. */
export function createMailPreviewRoutes({ previews }: { previews: MailPreviewService }) {
  return createRouter()
    .openapi(listTemplates, (c) => c.json({ items: previews.templates() }, 200))
    .openapi(preview, async (c) => c.json(await previews.preview(c.req.valid('json')), 200))
}

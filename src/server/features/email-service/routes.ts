import { createRoute } from '@hono/zod-openapi'
import type { MailStatus } from '#server/features/mail-account/status-service.ts'
import { mailServiceStatusBody } from '#server/http/mail-status-schema.ts'
import { mailerSecurity, requireMailer } from '#server/http/require-mailer.ts'
import { createRouter, json, problems } from '#server/http/router.ts'

const readStatus = createRoute({
  middleware: [requireMailer()],
  security: mailerSecurity,
  tags: ['mail'],
  method: 'get',
  path: '/status',
  summary: 'Whether e-mail can be sent',
  responses: {
    200: json(mailServiceStatusBody, 'Also when the check fails.'),
    ...problems('unauthenticated'),
  },
})

interface EmailServiceRoutesOptions {
  status: MailStatus
}

/** What the specification calls the e-mail service (§7), mounted at /emailService. */
export function createEmailServiceRoutes({ status }: EmailServiceRoutesOptions) {
  return createRouter().openapi(readStatus, async (c) => c.json(await status(), 200))
}

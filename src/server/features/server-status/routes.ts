import { createRoute, z } from '@hono/zod-openapi'
import { mailServiceStatusBody } from '#server/http/mail-status-schema.ts'
import { mailerSecurity, requireMailer } from '#server/http/require-mailer.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import type { ServerStatusService } from './service.ts'

const count = z.number().int()

const serverStatusBody = z
  .object({
    version: z.string(),
    startedAt: z.string(),
    uptimeSeconds: count,
    database: z.object({ reachable: z.boolean(), version: z.string(), sizeBytes: count.nullable() }),
    queue: z
      .object({ queued: count, sending: count, sent: count, failed: count, unknown: count, cancelled: count })
      .nullable()
      .openapi({ description: 'How many e-mails stand where.' }),
    disk: z.object({ freeBytes: count, totalBytes: count }).nullable(),
    email: mailServiceStatusBody,
  })
  .openapi('ServerStatus')

const readStatus = createRoute({
  middleware: [requireMailer()],
  security: mailerSecurity,
  tags: ['operations'],
  method: 'get',
  path: '/status',
  summary: 'How the server is: version, uptime, database, queue, disk, e-mail',
  responses: { 200: json(serverStatusBody, 'What could be found out.'), ...problems('unauthenticated') },
})

/** The server status of the test tool (spec §7). */
export function createServerStatusRoutes({ serverStatus }: { serverStatus: ServerStatusService }) {
  return createRouter().openapi(readStatus, async (c) => c.json(await serverStatus(), 200))
}

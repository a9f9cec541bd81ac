import { Readable } from 'node:stream'
import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor.ts'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { attachment } from '#server/http/static-files.ts'
import { backupRequestSchema } from '#shared/backup/backup.ts'
import type { BackupService } from './service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['backup'] }
const fileType = 'application/octet-stream'

const readStatus = createRoute({
  ...admin,
  method: 'get',
  path: '/backup',
  summary: 'Read the time of the last backup',
  responses: {
    200: json(
      z.object({ last: z.object({ at: z.string(), isSealed: z.boolean() }).nullable() }),
      'The last completed backup; null if the audit trail has none.',
    ),
    ...problems('unauthenticated'),
  },
})

const makeBackup = createRoute({
  ...admin,
  method: 'post',
  path: '/backup',
  summary: 'Create a backup',
  description:
    'Streams one file with all records, administrators, settings and files and the audit trail, encrypted if a passphrase is given. `npm run restore -- FILE` reads it.',
  request: {
    body: { required: true, ...json(documented(backupRequestSchema, 'BackupRequest'), 'Options.') },
  },
  responses: {
    200: {
      content: { [fileType]: { schema: z.string().openapi({ format: 'binary' }) } },
      description: 'A backup file.',
    },
    ...problems('invalid', 'unauthenticated', 'too_many_requests', 'unavailable'),
  },
})

export function createBackupRoutes({ backups }: { backups: BackupService }) {
  return createRouter()
    .openapi(readStatus, async (c) => c.json(await backups.status(), 200))
    .openapi(makeBackup, async (c) => {
      const { passphrase } = c.req.valid('json')
      const { fileName, content } = await backups.make({ actor: await actorOf(c), passphrase })
      c.header('Content-Type', fileType)
      c.header('Content-Disposition', attachment(fileName))
      // A proxy that collects the answer would only find out at its end how large it is.
      c.header('X-Accel-Buffering', 'no')
      return c.body(Readable.toWeb(content), 200)
    })
}

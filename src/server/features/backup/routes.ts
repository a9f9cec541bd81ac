import { z } from '@hono/zod-openapi'
import { attachment, streamed } from '#server/http/download.ts'
import { createRouter, formBody, json, staffRoutes } from '#server/http/router.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { backupRequestSchema } from '#shared/backup/backup.ts'
import { createBackupService } from './service.ts'

const admin = staffRoutes('backup', 'backup')
const fileType = 'application/octet-stream'

const readStatus = admin.get('/backup', 'Read the time of the last backup', {
  responses: {
    200: json(
      z.object({ last: z.object({ at: z.string(), isSealed: z.boolean() }).nullable() }),
      'The last completed backup; null if there was none.',
    ),
  },
})

const makeBackup = admin.post('/backup', 'Create a backup', {
  needs: 'fresh sign-in',
  description:
    'Streams one file with all records, accounts, settings and files and the audit trail, encrypted with the passphrase. `npm run restore -- FILE` reads it.',
  request: { body: formBody(backupRequestSchema, 'BackupRequest', 'The passphrase.') },
  responses: {
    200: {
      content: { [fileType]: { schema: z.string().openapi({ format: 'binary' }) } },
      description: 'A backup file.',
    },
  },
  problems: ['too_many_requests', 'unavailable'],
})

export function createBackups(context: AppContext) {
  const backups = createBackupService(context)
  const routes = createRouter()
    .openapi(readStatus, async (c) => c.json(await backups.status(), 200))
    .openapi(makeBackup, async (c) => {
      const { passphrase } = c.req.valid('json')
      const { fileName, content } = await backups.make({ actor: c.var.actor, passphrase })
      c.header('Content-Type', fileType)
      c.header('Content-Disposition', attachment(fileName))
      // A proxy that collects the answer would only find out at its end how large it is.
      c.header('X-Accel-Buffering', 'no')
      return c.body(streamed(c, content), 200)
    })
  return { routes }
}

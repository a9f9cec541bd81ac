import { z } from '@hono/zod-openapi'
import { attachment, streamed } from '#server/http/download.ts'
import { createRouter, formBody, ok, staffRoutes } from '#server/http/router.ts'
import { ifMatchHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { backupRequestSchema, nightlyBackupSchema } from '#shared/backup/backup.ts'
import { nightlyBackupBody } from '#shared/backup/backup-response.ts'
import { createNightlyBackups } from './nightly-service.ts'
import { createBackupService } from './service.ts'

const admin = staffRoutes('backup', 'backup')
const fileType = 'application/octet-stream'

const readStatus = admin.get('/backup', 'Read the time of the last backup', {
  responses: ok(
    z.object({
      last: z
        .object({ at: z.string(), isSealed: z.boolean() })
        .nullable()
        .describe('Also a nightly one; null if there was none.'),
      nightly: nightlyBackupBody,
    }),
    'The last completed backup, and how the nightly one is set up.',
  ),
})

const makeBackup = admin.post('/backup', 'Create a backup', {
  needs: 'fresh sign-in',
  description:
    'Streams one file with all records, accounts, settings and files and the audit trail, encrypted with the passphrase. `npm run restore -- FILE` reads it.',
  body: formBody(backupRequestSchema, 'BackupRequest', 'The passphrase.'),
  responses: {
    200: {
      content: { [fileType]: { schema: z.string().openapi({ format: 'binary' }) } },
      description: 'A backup file.',
    },
  },
  problems: ['too_many_requests', 'unavailable'],
})

const changeNightly = admin.put('/backup/nightly', 'Set up the nightly backup', {
  needs: 'fresh sign-in',
  description:
    'A folder on the server, which is made and written to as a test; empty turns it off. Each night after two there is one file with the passphrase, and 30 days are kept.',
  headers: ifMatchHeader,
  body: formBody(nightlyBackupSchema, 'NightlyBackupChange', 'The folder, and the passphrase if it changes.'),
  responses: ok(nightlyBackupBody, 'As it is now.'),
})

const makeNightly = admin.post('/backup/nightly', 'Make the nightly backup now', {
  needs: 'fresh sign-in',
  responses: ok(
    nightlyBackupBody.extend({ isRunning: z.boolean().describe('Whether it is still being written.') }),
    'As it is now. A failure is its problem.',
  ),
  problems: ['conflict', 'too_many_requests', 'unavailable'],
})

export function createBackups(context: AppContext) {
  const backups = createBackupService(context)
  const nightly = createNightlyBackups(context, backups)
  const routes = createRouter()
    .answer(readStatus, async () => ({ ...(await backups.status()), nightly: await nightly.status() }))
    .answer(makeBackup, async ({ c, body, actor }) => {
      const { fileName, content } = await backups.make({ actor, passphrase: body.passphrase })
      c.header('Content-Type', fileType)
      c.header('Content-Disposition', attachment(fileName))
      // A proxy that collects the answer would only find out at its end how large it is.
      c.header('X-Accel-Buffering', 'no')
      return c.body(streamed(c, content), 200)
    })
    .answer(changeNightly, ({ body, version, actor }) => nightly.change(body, version, actor))
    .answer(makeNightly, ({ actor }) => nightly.makeNow(actor))
  return { routes, nightly }
}

import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'

const instant = z.iso.datetime()

export const nightlyBackupBody = namedObject('NightlyBackup', {
  version: z.int(),
  folder: z.string().describe('On the server. Empty: it is off.'),
  hasPassphrase: z.boolean().describe('Whether there is one that can be read.'),
  madeAt: instant.nullable().describe('When the last file in this folder was made.'),
  bytes: z.int().nullable().describe('Of that file.'),
  kept: z.int().nullable().describe('How many files there are.'),
  problem: z.string().nullable().describe('Why there is none of today, or what else is wrong.'),
})

export type NightlyBackup = z.infer<typeof nightlyBackupBody>

import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { auditActionNames } from './audit.ts'

const itemSchema = namedObject('AuditItem', {
  id: z.uuid(),
  at: z.iso.datetime(),
  action: z.enum(auditActionNames),
  actor: z.string(),
  actorName: z.string().describe('Of the account now; empty where there is none.'),
  clientAddress: z.string().describe('Empty without the permission for the whole trail, as the browser.'),
  userAgent: z.string(),
  requestId: z.string(),
  studentId: z.uuid().nullable(),
  studentName: z.string().nullable(),
  subject: z.string(),
  fields: z.array(z.string()),
  affected: z.int(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  hasValues: z.boolean(),
})

export const auditPageSchema = namedObject('AuditPage', {
  items: z.array(itemSchema),
  nextCursor: z.string().nullable(),
})

export type AuditItem = z.infer<typeof itemSchema>

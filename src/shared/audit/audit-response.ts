import { z } from '@hono/zod-openapi'
import { auditActionNames } from './audit.ts'

const itemSchema = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    action: z.enum(auditActionNames),
    actor: z.string(),
    clientAddress: z.string(),
    userAgent: z.string(),
    requestId: z.string(),
    studentId: z.uuid().nullable(),
    studentName: z.string().nullable(),
    subject: z.string(),
    fields: z.array(z.string()),
    affected: z.number().int(),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    hasValues: z.boolean(),
  })
  .openapi('AuditItem')

export const auditPageSchema = z
  .object({ items: z.array(itemSchema), nextCursor: z.string().nullable() })
  .openapi('AuditPage')

export type AuditItem = z.infer<typeof itemSchema>

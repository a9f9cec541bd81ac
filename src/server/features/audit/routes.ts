import { z } from '@hono/zod-openapi'
import { mustBe } from '#server/http/auth.ts'
import { createRouter, ok, staffRoutes } from '#server/http/router.ts'
import { cursorQuery, searchText, wholeNumber } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { auditActionNames, auditKinds, auditPageSize, maxAuditSearch } from '#shared/audit/audit.ts'
import { auditPageSchema } from '#shared/audit/audit-response.ts'
import { namedObject } from '#shared/named-object.ts'
import { isCalendarDate } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { createAuditService, createRefusals, logTrailHead } from './service.ts'

// Roles with this permission read the history of one student. The whole trail needs `audit`.
const readers = staffRoutes('audit', 'history')

const day = z
  .string('Please give one date.')
  .refine((text) => text === '' || isCalendarDate(text), 'Please give the date as YYYY-MM-DD.')
  .default('')
  .openapi({ format: 'date' })

const query = z.strictObject({
  kind: z
    .enum(auditKinds, `Please choose the kind: ${auditKinds.join(', ')}.`)
    .default('all')
    .describe('changes: without reads and refusals.'),
  action: z
    .enum(['all', ...auditActionNames], 'Please choose one of the listed actions.')
    .default('all')
    .describe('The action.'),
  student: z.string().default('').describe("A student's id."),
  search: searchText(
    maxAuditSearch,
    'Part of a user, network address (with the permission for the whole trail), reference or request id.',
  ),
  from: day,
  to: day,
  cursor: cursorQuery,
  limit: wholeNumber('limit', 200, auditPageSize),
})

const listEntries = readers.get('/audit', 'Read the audit trail', {
  description:
    "Newest first. Entries can't be changed and expire after the retention period. Of one student, it counts among the " +
    'whole records of the hour, once with the record.',
  query,
  responses: ok(auditPageSchema, 'One page of the trail.'),
  problems: ['proof_needed'],
})

const readValues = readers.get('/audit/{id}/values', 'Read the old and new values of a change', {
  description: 'This read is recorded in the trail, and counts among the whole records of the hour.',
  responses: ok(
    namedObject('AuditValues', {
      before: z.record(z.string(), z.unknown()),
      after: z.record(z.string(), z.unknown()),
    }),
    'By field.',
  ),
  problems: ['proof_needed'],
})

export function createAuditTrail(context: AppContext, { settings }: { settings: () => Settings }) {
  const trail = createAuditService({ ...context, settings })
  const refusals = createRefusals(context)

  const routes = createRouter()
    .answer(listEntries, async ({ c, query, actor, admit }) => {
      if (query.student === '') await mustBe(c, 'audit')
      else await admit([query.student])
      return await trail.list(query, actor)
    })
    .answer(readValues, async ({ id, actor, admit }) => {
      await admit([id])
      return await trail.readValues(id, actor)
    })
  return {
    routes,
    noteRefusal: refusals.note,
    expire: trail.expire,
    logHead: () => logTrailHead(context),
    close: refusals.close,
  }
}

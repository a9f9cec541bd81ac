import { z } from '@hono/zod-openapi'
import { sql } from 'kysely'
import { v7 as createId, validate as isUuid } from 'uuid'
import { createOptOutRepository } from '#server/features/mail/announcement-repository.ts'
import { createStudentsRepository } from '#server/features/students/repository.ts'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { adminRoutes, createRouter, json, jsonBody } from '#server/http/router.ts'
import { documented, idParams, oneOf } from '#server/http/schemas.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { writeWorkbook } from '#server/spreadsheet/workbook.ts'
import {
  breachSchema,
  outcomes,
  requestDays,
  requestKindNames,
  requestSchema,
  restrictionLabels,
} from '#shared/privacy/privacy.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createPrivacyRepository, type FileRow, readHeld, recordRows } from './repository.ts'

const admin = adminRoutes('privacy')

const readFile = admin.get('/students/{id}/file.xlsx', 'Download all that is held on one person', {
  needs: 'fresh sign-in',
  description:
    'The record, consent, changes, readings, mail, import rows and requests: RA 10173, sections 16 and 18.',
  request: { params: idParams },
  responses: { 200: workbookResponse },
  problems: ['not_found'],
})

const instant = z.iso.datetime()

const overview = z
  .object({
    today: z.iso.date(),
    requests: z.array(
      z.object({
        id: z.uuid(),
        kind: z.enum(requestKindNames),
        reference: z.string(),
        receivedOn: z.iso.date(),
        dueOn: z.iso.date(),
        closedOn: z.iso.date().nullable(),
        outcome: z.enum(outcomes).nullable(),
      }),
    ),
    breaches: z.array(
      z.object({
        id: z.uuid(),
        noticedAt: instant,
        happened: z.string(),
        data: z.string(),
        measures: z.string(),
        people: z.number().int(),
        commissionAt: instant.nullable(),
        peopleAt: instant.nullable(),
      }),
    ),
    toArchive: z
      .array(z.object({ academicYear: z.string(), count: z.number().int() }))
      .openapi({ description: 'Active records of academic years that ended more than a year ago.' }),
  })
  .openapi('PrivacyOverview')

const readOverview = admin.get('/privacy', 'Read requests, breaches and what retention proposes', {
  responses: { 200: json(overview, 'Newest first.') },
})

const added = { 201: { description: 'Recorded.' } }

const addRequest = admin.post('/privacy/requests', 'Record the request of a person', {
  request: { body: jsonBody(documented(requestSchema, 'PrivacyRequest'), 'The request.') },
  responses: added,
})

const closeRequest = admin.post('/privacy/requests/{id}/close', 'Close a request', {
  request: {
    params: idParams,
    body: jsonBody(z.strictObject({ outcome: oneOf('outcome', outcomes) }), 'How it ended.'),
  },
  responses: { 204: { description: 'Closed.' } },
  problems: ['not_found'],
})

const addBreach = admin.post('/privacy/breaches', 'Record a data breach', {
  request: { body: jsonBody(documented(breachSchema, 'Breach'), 'The breach.') },
  responses: added,
})

const told = ['commission', 'people'] as const

const noteTold = admin.post('/privacy/breaches/{id}/told', 'Record who was told of a breach', {
  request: { params: idParams, body: jsonBody(z.strictObject({ whom: oneOf('whom', told) }), 'Who.') },
  responses: { 204: { description: 'Recorded.' } },
  problems: ['not_found'],
})

export function createPrivacyRoutes(context: AppContext) {
  const { database, clock, timeZone, audit } = context
  const students = createStudentsRepository(database, timeZone)
  const today = () => calendarDateOf(clock(), timeZone)

  async function fileOf(id: string, actor: Actor) {
    const row = isUuid(id) ? await students.find(id) : undefined
    if (!row) throw new AppError('not_found', 'Student not found')
    const entry = { actor, studentId: id, subject: row.reference }
    await audit.record(database.db, { action: 'student-file-downloaded', ...entry })
    const optedOut = await createOptOutRepository(database.db).optedOutAmong([row.email])
    const rows: FileRow[] = [
      ...recordRows(row),
      ...Object.entries({
        Reference: row.reference,
        Status: row.archived ? 'Archived' : row.status,
        Restriction: row.restriction ? restrictionLabels[row.restriction] : 'None',
        'Announcements by e-mail': optedOut.size > 0 ? 'Stopped' : 'Allowed',
      }).map(([what, value]) => ({ part: 'Record', at: null, what, value })),
      { part: 'Record', at: row.registrationDate, what: 'Registered', value: '' },
      { part: 'Consent', at: row.consentedAt, what: 'Privacy notice version', value: row.consentVersion },
      ...(row.guardianConsentedAt
        ? [{ part: 'Consent', at: row.guardianConsentedAt, what: 'Guardian', value: row.guardianName }]
        : []),
      ...(await readHeld(database.db, row)),
    ]
    const workbook = writeWorkbook({
      ...{ title: 'Personal data', sheetName: 'Personal data', creator: 'NSTP Portal', created: clock() },
      timeZone,
      columns: [
        { header: 'Part', width: 16, kind: 'text', value: ({ part }: FileRow) => part },
        { header: 'When', width: 18, kind: 'instant', value: ({ at }) => at },
        { header: 'What', width: 40, kind: 'text', value: ({ what }) => what },
        { header: 'Value', width: 60, kind: 'text', value: ({ value }) => value },
      ],
      rows,
    })
    return { fileName: `Personal data ${row.reference}.xlsx`, workbook }
  }

  // The two semesters of the program are over, and a calendar year has passed.
  async function toArchive() {
    const years = await createPrivacyRepository(database.db).activeByYear()
    return years.filter(({ academicYear }) => Number(academicYear.slice(5)) < Number(today().slice(0, 4)) - 1)
  }

  return createRouter()
    .openapi(readFile, async (c) => sendWorkbook(c, await fileOf(c.req.valid('param').id, c.var.actor)))
    .openapi(readOverview, async (c) => {
      const repository = createPrivacyRepository(database.db)
      const [requests, breaches] = await Promise.all([repository.requests(), repository.breaches()])
      const text = (at: Date | null) => at?.toISOString() ?? null
      const body = {
        ...{ today: today(), requests, toArchive: await toArchive() },
        breaches: breaches.map((breach) => ({
          ...breach,
          noticedAt: breach.noticedAt.toISOString(),
          commissionAt: text(breach.commissionAt),
          peopleAt: text(breach.peopleAt),
        })),
      }
      return c.json(body, 200)
    })
    .openapi(addRequest, async (c) => {
      const { kind, reference, receivedOn } = c.req.valid('json')
      if (receivedOn > today()) throw invalid('receivedOn', 'Please enter a date that is not in the future.')
      const due = new Date(`${receivedOn}T00:00:00Z`)
      due.setUTCDate(due.getUTCDate() + requestDays)
      const dueOn = due.toISOString().slice(0, 10)
      await commitChange(context, 'students', async (tx, record) => {
        const row = { id: createId(), kind, reference, receivedOn, dueOn }
        await tx.insertInto('privacyRequests').values(row).execute()
        await record({
          action: 'privacy-request-added',
          ...{ actor: c.var.actor, subject: reference, detail: { kind } },
        })
      })
      return c.body(null, 201)
    })
    .openapi(closeRequest, async (c) => {
      const { outcome } = c.req.valid('json')
      await commitChange(context, 'students', async (tx, record) => {
        const closed = await tx
          .updateTable('privacyRequests')
          .set({ outcome, closedOn: today() })
          .where('id', '=', uuidOr404(c.req.valid('param').id))
          .where('closedOn', 'is', null)
          .returning('reference')
          .executeTakeFirst()
        if (!closed) throw new AppError('not_found')
        const subject = closed.reference
        await record({ action: 'privacy-request-closed', actor: c.var.actor, subject, detail: { outcome } })
      })
      return c.body(null, 204)
    })
    .openapi(addBreach, async (c) => {
      const { noticedAt, ...rest } = c.req.valid('json')
      await commitChange(context, 'students', async (tx, record) => {
        const row = { id: createId(), noticedAt: new Date(noticedAt), ...rest }
        await tx.insertInto('privacyBreaches').values(row).execute()
        await record({ action: 'breach-recorded', actor: c.var.actor, affected: rest.people })
      })
      return c.body(null, 201)
    })
    .openapi(noteTold, async (c) => {
      const { whom } = c.req.valid('json')
      await commitChange(context, 'students', async (tx, record) => {
        const column = whom === 'people' ? 'peopleAt' : 'commissionAt'
        const { numUpdatedRows } = await tx
          .updateTable('privacyBreaches')
          .set({ [column]: clock() })
          .where('id', '=', uuidOr404(c.req.valid('param').id))
          .where(sql.ref(column), 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new AppError('not_found')
        await record({ action: 'breach-told', actor: c.var.actor, detail: { whom } })
      })
      return c.body(null, 204)
    })
}

function uuidOr404(id: string): string {
  if (!isUuid(id)) throw new AppError('not_found')
  return id
}

import { z } from '@hono/zod-openapi'
import { limitToken, mustBe } from '#server/http/auth.ts'
import { files } from '#server/http/limits.ts'
import { binary, isForm, readForm } from '#server/http/read-body.ts'
import { createRouter, formBody, json, mailerRoutes, noContent, staffRoutes } from '#server/http/router.ts'
import { cursorQuery, keyHeader } from '#server/http/schemas.ts'
import { invalid } from '#server/lib/errors.ts'
import { mailingsAtOnce } from '#shared/announcements/announcement-mail.ts'
import { announcementSentences } from '#shared/announcements/announcements.ts'
import { readingChoices } from '#shared/imports/import-response.ts'
import { importSentences, maxImportBytes } from '#shared/imports/imports.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { audienceSchema, batchSchema, listBatchSchema, recipientSchema } from '#shared/mail/mail-batch.ts'
import {
  announcementMailingBody,
  audienceBody,
  batchBody,
  batchPageBody,
  bulkResultBody,
  recipientFileBody,
  recipientRecordBody,
} from '#shared/mail/mail-response.ts'
import { namedObject } from '#shared/named-object.ts'
import type { AnnouncementMailService } from './announcement-service.ts'
import type { Audiences } from './audience-service.ts'
import type { Batches } from './batch-service.ts'
import type { BatchStarts } from './batch-start-service.ts'
import type { BulkCall } from './bulk-call-service.ts'
import { readRecipientFile, type Tables } from './recipient-file.ts'

// The maximum of recipients, with the longest names and addresses in use.
const recipientsBody = { maxBytes: 6 * 1024 * 1024 }

const idempotencyKey = keyHeader(
  'a retry with the same key starts no second bulk e-mail and returns the first one.',
)

const sendBulkEmails = mailerRoutes('mail', 'mail').post('/send-bulk-emails', 'Send a bulk e-mail', {
  description:
    '`template` is the text, with placeholders such as {firstName}, when `useCustomTemplate` is true, else the name ' +
    'of a stored template. A short list is answered when its messages have ended, or after 3 seconds; a long one at ' +
    'once, with queued results. A retry with the same Idempotency-Key sends nothing and gets the result of the ' +
    'first request, with the current state of each recipient. Each is listed by the address in the request, also ' +
    'when the student’s address has changed, and opted-out recipients are listed again. Recipients deleted since are ' +
    'listed only by the address in the retry, as deleted.',
  request: {
    headers: idempotencyKey,
    body: formBody(listBatchSchema, 'BulkMailToSend', 'Text and recipients.'),
  },
  responses: { 200: json(bulkResultBody, 'The state of each recipient.') },
  problems: ['too_many_requests', 'conflict', 'unavailable', 'internal'],
  limits: { body: recipientsBody, failure: mailSentences.failedToSendBulk },
})

const readFile = staffRoutes('mail', 'mail').post(
  '/mail/recipients/file',
  'Read recipients from a spreadsheet',
  {
    description:
      'An .xlsx or CSV file of up to 20 MB and 50,000 rows. Its columns are found by their headings, such as Email and ' +
      'First Name; a name in one column is split at its comma. With `reading`, the `choices` of a reading note as JSON, it ' +
      'is read that way. The file is not stored.',
    request: {
      body: {
        required: true,
        content: {
          // The route parses the body.
          'multipart/form-data': {
            schema: { type: 'object', properties: { file: binary, reading: { type: 'string' } } },
          },
        },
      },
    },
    responses: {
      200: json(recipientFileBody, 'The recipients, the invalid rows, and how the file was read.'),
    },
    problems: ['too_many_requests'],
    limits: files(maxImportBytes, importSentences.tooBig, 'file'),
  },
)

/** @throws AppError `invalid` */
function choicesOf({ reading }: Record<string, unknown>) {
  if (reading === undefined) return undefined
  const { data } = readingChoices.safeParse(parsed(reading))
  if (!data) throw invalid('reading', 'Please give the choices of a reading note as JSON.')
  return data
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

const admin = staffRoutes('mail', 'mail')

const preview = admin.post('/mail/audience', 'Count the recipients of a bulk e-mail', {
  description:
    'By filters of the student list, or of selected students. Of several students with one address the newest ' +
    'record counts. Changes nothing; it is a POST because of the many ids.',
  request: { body: formBody(audienceSchema, 'MailAudience', 'Which students.') },
  limits: { body: recipientsBody },
  responses: { 200: json(audienceBody, 'The number, the left-out students, and a sample for the preview.') },
  problems: ['too_big'],
})

const readRecord = admin.post('/mail/recipients/record', "The values of a recipient's record", {
  description:
    'The placeholder values of the newest active student with this address, as used in a bulk e-mail to a list. ' +
    'Changes nothing; it is a POST so that no address is logged.',
  request: { body: formBody(recipientSchema, 'MailRecipient', 'The address.') },
  responses: { 200: json(recipientRecordBody, 'The values, or null.') },
})

const start = admin.post('/mail/batches', 'Start a bulk e-mail', {
  description:
    'To a list of recipients, to students by the filters of the student list, or to selected ones. Opted-out recipients, duplicates ' +
    'and invalid addresses are left out and counted.',
  request: { headers: idempotencyKey, body: formBody(batchSchema, 'NewBulkMail', 'Text and recipients.') },
  responses: { 202: json(batchBody, 'Its messages are queued.') },
  problems: ['conflict', 'unavailable'],
  limits: { body: recipientsBody },
})

const list = admin.get('/mail/batches', 'List bulk e-mails', {
  request: { query: z.strictObject({ cursor: cursorQuery }) },
  responses: { 200: json(batchPageBody, 'Newest first.') },
})

const read = admin.get('/mail/batches/{id}', 'Read a bulk e-mail', {
  description: 'With the number of its messages by state; the topic `mail` notifies of progress.',
  responses: { 200: json(batchBody, 'The bulk e-mail.') },
})

function change(name: 'pause' | 'resume' | 'cancel', summary: string, description: string) {
  return admin.post(`/mail/batches/{id}/${name}`, summary, {
    description,
    responses: { 200: json(batchBody, 'The current state.') },
    problems: ['conflict'],
  })
}

const pause = change('pause', 'Pause a bulk e-mail', 'No more messages are sent for now.')
const resume = change('resume', 'Resume a bulk e-mail', 'After a pause.')
const cancel = change('cancel', 'Cancel a bulk e-mail', 'Unsent messages are never sent.')

const repeat = admin.post('/mail/batches/{id}/repeat', 'Retry the failed recipients', {
  description:
    'A new bulk e-mail with the failed messages, each once; messages that were already sent again and unknown ones ' +
    'are not included. They go to the current addresses of the students.',
  request: { headers: idempotencyKey },
  responses: { 202: json(batchBody, 'The new bulk e-mail.') },
  problems: ['conflict', 'unavailable'],
})

const announcementAdmin = staffRoutes('announcements', 'mail', announcementSentences.onlyAdminsEdit)

const listMailings = announcementAdmin.get(
  '/mail/announcements',
  'Progress of the mailings of announcements',
  {
    request: {
      query: z.strictObject({
        ids: z
          .string('Please give the ids of the announcements.')
          .transform((ids) => ids.split(',').filter(Boolean))
          .refine((ids) => ids.length <= mailingsAtOnce, `Please give ${mailingsAtOnce} ids or fewer.`)
          .openapi({ type: 'string', description: 'Announcements, separated by commas.' }),
      }),
    },
    responses: {
      200: json(
        namedObject('AnnouncementMailings', { items: z.array(announcementMailingBody) }),
        'The mailed ones.',
      ),
    },
  },
)

const mailAnnouncement = announcementAdmin.post(
  '/announcements/{id}/mail',
  'Mail an announcement that was not mailed on publication',
  {
    description: 'An announcement that was mailed is not mailed again.',
    responses: { 204: { description: 'Its messages are queued.' } },
    problems: ['invalid', 'unavailable', 'too_big'],
  },
)

export function createBulkMailRoutes(
  { startBatch, repeatBatch }: BatchStarts,
  { changeBatch, listBatches, readBatch }: Batches,
  sendBulk: BulkCall,
  {
    audiences,
    mailings,
    tables,
  }: { audiences: Audiences; mailings: AnnouncementMailService; tables: Tables },
) {
  return createRouter()
    .openapi(preview, async (c) => c.json(await audiences.preview(c.req.valid('json'), c.var.actor), 200))
    .openapi(readRecord, async (c) =>
      c.json(await audiences.recordOf(c.req.valid('json').email, c.var.actor), 200),
    )
    .openapi(readFile, async (c) => {
      const { files, fields } = isForm(c) ? await readForm(c, ['file']) : { files: {}, fields: {} }
      const { file } = files
      if (!file || file.bytes.length === 0) throw invalid('file', 'Please choose a file with recipients.')
      return c.json(await readRecipientFile({ ...file, choices: choicesOf(fields) }, tables), 200)
    })
    .openapi(start, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const { id } = await startBatch({ ...c.req.valid('json'), bodyFormat: 'text' }, c.var.actor, key)
      return c.json(await readBatch(id, c.var.actor), 202)
    })
    .openapi(list, async (c) => c.json(await listBatches(c.req.valid('query').cursor, c.var.actor), 200))
    .openapi(read, async (c) => c.json(await readBatch(c.req.valid('param').id, c.var.actor), 200))
    .openapi(pause, async (c) =>
      c.json(await changeBatch(c.req.valid('param').id, 'paused', c.var.actor), 200),
    )
    .openapi(resume, async (c) =>
      c.json(await changeBatch(c.req.valid('param').id, 'running', c.var.actor), 200),
    )
    .openapi(cancel, async (c) =>
      c.json(await changeBatch(c.req.valid('param').id, 'cancelled', c.var.actor), 200),
    )
    .openapi(repeat, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const id = await repeatBatch(c.req.valid('param').id, c.var.actor, key)
      return c.json(await readBatch(id, c.var.actor), 202)
    })
    .openapi(sendBulkEmails, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const batch = c.req.valid('json')
      await limitToken(
        c,
        batch.recipients.recipients.map(({ email }) => email),
      )
      return c.json(await sendBulk(batch, c.var.actor, key), 200)
    })
    .openapi(listMailings, async (c) =>
      c.json({ items: await mailings.mailings(c.req.valid('query').ids, c.var.actor) }, 200),
    )
    .openapi(mailAnnouncement, async (c) => {
      await mustBe(c, 'content')
      return await noContent(c, mailings.mailNow(c.req.valid('param').id, c.var.actor))
    })
}

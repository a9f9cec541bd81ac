import { z } from '@hono/zod-openapi'
import { limitToken, mustBe } from '#server/http/auth.ts'
import { files } from '#server/http/limits.ts'
import { binary, isForm, readForm } from '#server/http/read-body.ts'
import { accepted, createRouter, done, formBody, mailerRoutes, ok, staffRoutes } from '#server/http/router.ts'
import { cursorQuery, keyHeader } from '#server/http/schemas.ts'
import { invalid } from '#server/lib/errors.ts'
import { mailingsAtOnce } from '#shared/announcements/announcement-mail.ts'
import { announcementSentences } from '#shared/announcements/announcements.ts'
import { readingChoices } from '#shared/imports/import-response.ts'
import { importSentences, maxImportBytes } from '#shared/imports/imports.ts'
import { parseJson } from '#shared/json-text.ts'
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
  headers: idempotencyKey,
  body: formBody(listBatchSchema, 'BulkMailToSend', 'Text and recipients.'),
  responses: ok(bulkResultBody, 'The state of each recipient.'),
  problems: ['too_many_requests', 'unavailable', 'internal'],
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
    body: {
      required: true,
      content: {
        // The route parses the body.
        'multipart/form-data': {
          schema: { type: 'object', properties: { file: binary, reading: { type: 'string' } } },
        },
      },
    },
    responses: ok(recipientFileBody, 'The recipients, the invalid rows, and how the file was read.'),
    problems: ['too_many_requests'],
    limits: files(maxImportBytes, importSentences.tooBig, 'file'),
  },
)

/** @throws AppError `invalid` */
function choicesOf({ reading }: Record<string, unknown>) {
  if (reading === undefined) return undefined
  const { data } = readingChoices.safeParse(parseJson(String(reading)))
  if (!data) throw invalid('reading', 'Please give the choices of a reading note as JSON.')
  return data
}

const admin = staffRoutes('mail', 'mail')

const preview = admin.post('/mail/audience', 'Count the recipients of a bulk e-mail', {
  description:
    'By filters of the student list, or of selected students. Of several students with one address the newest ' +
    'record counts. Changes nothing; it is a POST because of the many ids.',
  body: formBody(audienceSchema, 'MailAudience', 'Which students.'),
  limits: { body: recipientsBody },
  responses: ok(audienceBody, 'The number, the left-out students, and a sample for the preview.'),
  problems: ['too_big'],
})

const readRecord = admin.post('/mail/recipients/record', "The values of a recipient's record", {
  description:
    'The placeholder values of the newest active student with this address, as used in a bulk e-mail to a list. ' +
    'Changes nothing; it is a POST so that no address is logged.',
  body: formBody(recipientSchema, 'MailRecipient', 'The address.'),
  responses: ok(recipientRecordBody, 'The values, or null.'),
})

const start = admin.post('/mail/batches', 'Start a bulk e-mail', {
  description:
    'To a list of recipients, to students by the filters of the student list, or to selected ones. Opted-out recipients, duplicates ' +
    'and invalid addresses are left out and counted.',
  headers: idempotencyKey,
  body: formBody(batchSchema, 'NewBulkMail', 'Text and recipients.'),
  responses: accepted(batchBody, 'Its messages are queued.'),
  problems: ['unavailable'],
  limits: { body: recipientsBody },
})

const list = admin.get('/mail/batches', 'List bulk e-mails', {
  query: z.strictObject({ cursor: cursorQuery }),
  responses: ok(batchPageBody, 'Newest first.'),
})

const read = admin.get('/mail/batches/{id}', 'Read a bulk e-mail', {
  description: 'With the number of its messages by state; the topic `mail` notifies of progress.',
  responses: ok(batchBody, 'The bulk e-mail.'),
})

function change(name: 'pause' | 'resume' | 'cancel', summary: string, description: string) {
  return admin.post(`/mail/batches/{id}/${name}`, summary, {
    description,
    responses: ok(batchBody, 'The current state.'),
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
  headers: idempotencyKey,
  responses: accepted(batchBody, 'The new bulk e-mail.'),
  problems: ['unavailable'],
})

const announcementAdmin = staffRoutes('announcements', 'mail', announcementSentences.onlyAdminsEdit)

const listMailings = announcementAdmin.get(
  '/mail/announcements',
  'Progress of the mailings of announcements',
  {
    query: z.strictObject({
      ids: z
        .string('Please give the ids of the announcements.')
        .transform((ids) => ids.split(',').filter(Boolean))
        .refine((ids) => ids.length <= mailingsAtOnce, `Please give ${mailingsAtOnce} ids or fewer.`)
        .openapi({ type: 'string', description: 'Announcements, separated by commas.' }),
    }),
    responses: ok(
      namedObject('AnnouncementMailings', { items: z.array(announcementMailingBody) }),
      'The mailed ones.',
    ),
  },
)

const mailAnnouncement = announcementAdmin.post(
  '/announcements/{id}/mail',
  'Mail an announcement that was not mailed on publication',
  {
    description: 'An announcement that was mailed is not mailed again.',
    responses: done('Its messages are queued.'),
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
    .answer(preview, ({ body, actor }) => audiences.preview(body, actor))
    .answer(readRecord, ({ body, actor }) => audiences.recordOf(body.email, actor))
    .answer(readFile, async ({ c }) => {
      const { files, fields } = isForm(c) ? await readForm(c, ['file']) : { files: {}, fields: {} }
      const { file } = files
      if (!file || file.bytes.length === 0) throw invalid('file', 'Please choose a file with recipients.')
      return await readRecipientFile({ ...file, choices: choicesOf(fields) }, tables)
    })
    .answer(start, async ({ body, key, actor }) => {
      const { id } = await startBatch({ ...body, bodyFormat: 'text' }, actor, key)
      return await readBatch(id, actor)
    })
    .answer(list, ({ query, actor }) => listBatches(query.cursor, actor))
    .answer(read, ({ id, actor }) => readBatch(id, actor))
    .answer(pause, ({ id, actor }) => changeBatch(id, 'paused', actor))
    .answer(resume, ({ id, actor }) => changeBatch(id, 'running', actor))
    .answer(cancel, ({ id, actor }) => changeBatch(id, 'cancelled', actor))
    .answer(repeat, async ({ id, key, actor }) => readBatch(await repeatBatch(id, actor, key), actor))
    .answer(sendBulkEmails, async ({ c, body, key, actor }) => {
      const addresses = body.recipients.recipients.map(({ email }) => email)
      await limitToken(c, addresses)
      return await sendBulk(body, actor, key)
    })
    .answer(listMailings, async ({ query, actor }) => ({ items: await mailings.mailings(query.ids, actor) }))
    .answer(mailAnnouncement, async ({ c, id, actor }) => {
      await mustBe(c, 'content')
      return await mailings.mailNow(id, actor)
    })
}

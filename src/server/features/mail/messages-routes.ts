import { z } from '@hono/zod-openapi'
import { mustBe } from '#server/http/auth.ts'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { createRouter, formBody, jsonBody, ok, staffRoutes } from '#server/http/router.ts'
import { cursorQuery, searchText } from '#server/http/schemas.ts'
import { mailKinds, mailStates } from '#shared/mail/mail.ts'
import { maxMailSearch, studentMailChangeSchema } from '#shared/mail/mail-history.ts'
import {
  messageBody,
  messageDetailsBody,
  messagePageBody,
  queueStatusBody,
  studentMail,
} from '#shared/mail/mail-response.ts'
import { namedObject } from '#shared/named-object.ts'
import type { MailMessages } from './messages-service.ts'
import type { MailQueueService } from './queue-service.ts'
import type { StudentMailService } from './student-mail-service.ts'

const readQueue = staffRoutes('mail', 'mail').get('/mail/queue', 'State of the mail queue', {
  responses: ok(queueStatusBody, 'The current state.'),
})

const studentEditor = staffRoutes('students', 'students.edit')
const params = z.object({ id: z.uuid('Invalid student ID.') })

const readMail = staffRoutes('students', 'mail').get('/students/{id}/mail', "List a student's mail", {
  params,
  responses: ok(studentMail, 'The newest fifty messages.'),
  problems: ['invalid', 'proof_needed'],
})

const changeMail = studentEditor.put('/students/{id}/mail', "Change a student's opt-out", {
  params,
  body: formBody(studentMailChangeSchema, 'StudentMailChange', 'The choice.'),
  responses: ok(studentMail, 'The current state.'),
})

const resendWelcome = studentEditor.post('/students/{id}/welcome-mail', 'Send the welcome e-mail again', {
  description:
    'At most three a day to one address. The response waits up to three seconds for the mail server.',
  params,
  responses: ok(
    z.object({ state: z.enum(mailStates), failure: z.string() }),
    'Stored in the outbox, with its state.',
  ),
  problems: ['invalid', 'too_many_requests', 'unavailable'],
})

const filters = {
  state: z
    .enum(['all', ...mailStates], `Please choose the state: ${['all', ...mailStates].join(', ')}.`)
    .default('all'),
  search: searchText(maxMailSearch, 'Part of an address, a name or a subject.'),
}

const resultsQuery = z.strictObject({ ...filters, cursor: cursorQuery })

const historyQuery = z.strictObject({
  ...filters,
  kind: z
    .enum(['all', ...mailKinds], `Please choose the kind: ${['all', ...mailKinds].join(', ')}.`)
    .default('all'),
  cursor: cursorQuery,
})

const settleBody = z
  .strictObject({ as: z.enum(['sent', 'failed'], 'Please decide: sent or failed.') })
  .openapi('MailSettling')

const admin = staffRoutes('mail', 'mail')

const listMessages = admin.get('/mail/messages', 'List all messages', {
  query: historyQuery,
  responses: ok(messagePageBody, 'Newest first.'),
})

const readMessage = admin.get('/mail/messages/{id}', 'Read a message', {
  description: 'With its HTML and its plain text, as the recipient reads it.',
  responses: ok(messageDetailsBody, 'The message.'),
})

const sendAgain = admin.post('/mail/messages/{id}/send-again', 'Send a message again', {
  description:
    'A failed or unknown message; the recipient of an unknown one may get it twice. It goes to the current address ' +
    'of its student.',
  responses: ok(messageBody, 'It is queued.'),
  problems: ['conflict', 'unavailable'],
})

const settleMessage = admin.post('/mail/messages/{id}/settle', 'Mark an unknown message as sent or failed', {
  body: jsonBody(settleBody, 'The new state.'),
  responses: ok(messageBody, 'The current state.'),
  problems: ['conflict'],
})

const listResults = admin.get('/mail/batches/{id}/results', 'Results of a bulk e-mail by recipient', {
  query: resultsQuery,
  responses: ok(messagePageBody, 'In the order of its list.'),
})

const downloadResults = admin.get(
  '/mail/batches/{id}/results.xlsx',
  'Download the results of a bulk e-mail',
  {
    description: 'More than 300 recipients an hour need a fresh sign-in.',
    query: z.strictObject(filters),
    responses: workbookResponse,
    problems: ['proof_needed'],
  },
)

const settleResults = admin.post(
  '/mail/batches/{id}/settle',
  'Mark all unknown messages of a bulk e-mail as sent or failed',
  {
    body: jsonBody(settleBody, 'The new state.'),
    responses: ok(namedObject('MailSettled', { count: z.int() }), 'The number of messages.'),
  },
)

export function createMailMessageRoutes(
  messages: MailMessages,
  queue: MailQueueService,
  students: StudentMailService,
) {
  return createRouter()
    .answer(readQueue, async ({ actor }) => {
      const [status, counts] = await Promise.all([queue.status(), messages.counts(actor)])
      return { ...status, counts }
    })
    .answer(listMessages, ({ query, actor }) => messages.history(query, actor))
    .answer(readMessage, ({ id, actor }) => messages.read(id, actor))
    .answer(sendAgain, ({ id, actor }) => messages.sendAgain(id, actor))
    .answer(settleMessage, ({ id, body, actor }) => messages.settle(id, body.as, actor))
    .answer(listResults, ({ id, query, actor }) => messages.results(id, query, actor))
    .answer(downloadResults, async ({ c, id, query, actor, admit }) => {
      await mustBe(c, 'students.take-out')
      return sendWorkbook(c, await messages.exportResults(id, query, { actor, admit }))
    })
    .answer(settleResults, async ({ id, body, actor }) => ({
      count: await messages.settleBatch(id, body.as, actor),
    }))
    .answer(readMail, async ({ id, actor, admit }) => {
      await admit([id])
      return await students.list(id, actor)
    })
    .answer(changeMail, ({ id, body, actor }) => students.changeAnnouncements(id, body.announcements, actor))
    .answer(resendWelcome, async ({ id, actor }) => {
      const { state, failure } = await students.resendWelcome(id, actor)
      return { state, failure }
    })
}

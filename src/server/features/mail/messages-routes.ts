import { Readable } from 'node:stream'
import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor.ts'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { attachment } from '#server/http/static-files.ts'
import { workbookType } from '#server/spreadsheet/workbook.ts'
import { mailKinds, mailStates } from '#shared/mail/mail.ts'
import { maxMailSearch, studentMailChangeSchema } from '#shared/mail/mail-history.ts'
import type { MailDecisions, MailMessages, ResultsExport } from './messages-service.ts'
import type { MailQueueService } from './queue-service.ts'
import type { StudentMailService } from './student-mail-service.ts'

const count = (description: string) => z.number().int().openapi({ description })

const queueStatusBody = z
  .object({
    counts: z.object({
      queued: count('Waiting to be sent.'),
      sending: count('Being sent.'),
      sent: count('Accepted by the mail server within the last 24 hours.'),
      failed: count('Not accepted, within the last 24 hours.'),
      unknown: count('May have been accepted; all that are not settled.'),
      cancelled: count('Cancelled within the last 24 hours.'),
    }),
    trouble: z
      .string()
      .openapi({ description: 'Why nothing is sent at the moment; empty while mail is sent.' }),
    sentToday: count('Messages counted against the quota of 24 hours.'),
    perDay: count(
      'The quota of 24 hours. A tenth, at least one, is reserved for welcome, single and test mails.',
    ),
    perMinute: count('The quota per minute.'),
    finishesAt: z
      .string()
      .nullable()
      .openapi({ format: 'date-time', description: 'When the last queued message will probably be sent.' }),
  })
  .openapi('MailQueueStatus')

const readQueue = createRoute({
  method: 'get',
  path: '/mail/queue',
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['mail'],
  summary: 'State of the mail queue',
  responses: { 200: json(queueStatusBody, 'The current state.'), ...problems('unauthenticated') },
})

export function createMailQueueRoutes({ queue }: { queue: MailQueueService }) {
  return createRouter().openapi(readQueue, async (c) => c.json(await queue.status(), 200))
}

const studentAdmin = {
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['students'],
}
const params = z.object({ id: z.uuid('Invalid student ID.') })

const studentMail = z
  .object({
    optedOut: z
      .boolean()
      .openapi({ description: "Whether the student's address opted out of announcements." }),
    messages: z.array(
      z.object({
        id: z.uuid(),
        kind: z.enum(mailKinds),
        subject: z.string(),
        recipient: z.string(),
        state: z.enum(mailStates),
        createdAt: z.iso.datetime(),
        endedAt: z.iso.datetime().nullable(),
        failure: z.string(),
      }),
    ),
  })
  .openapi('StudentMail')

const readMail = createRoute({
  ...studentAdmin,
  method: 'get',
  path: '/students/{id}/mail',
  summary: "List a student's mail",
  request: { params },
  responses: {
    200: json(studentMail, 'The newest fifty messages.'),
    ...problems('unauthenticated', 'invalid', 'not_found'),
  },
})

const changeMail = createRoute({
  ...studentAdmin,
  method: 'put',
  path: '/students/{id}/mail',
  summary: "Change a student's opt-out",
  request: {
    params,
    body: {
      required: true,
      ...json(documented(studentMailChangeSchema, 'StudentMailChange'), 'The choice.'),
    },
  },
  responses: {
    200: json(studentMail, 'The current state.'),
    ...problems('unauthenticated', 'invalid', 'not_found'),
  },
})

const resendWelcome = createRoute({
  ...studentAdmin,
  method: 'post',
  path: '/students/{id}/welcome-mail',
  summary: 'Send the welcome e-mail again',
  description:
    'At most three a day to one address. The response waits up to three seconds for the mail server.',
  request: { params },
  responses: {
    200: json(
      z.object({ state: z.enum(mailStates), failure: z.string() }),
      'Stored in the outbox, with its state.',
    ),
    ...problems('unauthenticated', 'invalid', 'not_found', 'too_many_requests', 'unavailable'),
  },
})

export function createStudentMailRoutes({ studentMail: service }: { studentMail: StudentMailService }) {
  return createRouter()
    .openapi(readMail, async (c) => c.json(await service.read(c.req.valid('param').id), 200))
    .openapi(changeMail, async (c) => {
      const { announcements } = c.req.valid('json')
      const changed = await service.changeAnnouncements(
        c.req.valid('param').id,
        announcements,
        await actorOf(c),
      )
      return c.json(changed, 200)
    })
    .openapi(resendWelcome, async (c) => {
      const { state, failure } = await service.resendWelcome(c.req.valid('param').id, await actorOf(c))
      return c.json({ state, failure }, 200)
    })
}

const instant = z.iso.datetime()

const messageBody = z
  .object({
    id: z.uuid(),
    kind: z.enum(mailKinds),
    batchId: z.uuid().nullable(),
    studentId: z.uuid().nullable(),
    recipient: z.string(),
    name: z.string().openapi({ description: "'Dela Cruz, Juan', if known." }),
    subject: z.string(),
    state: z.enum(mailStates).openapi({
      description: 'unknown: it may have been accepted; it is sent again only by request.',
    }),
    createdAt: instant,
    attempts: z.number().int(),
    endedAt: instant.nullable(),
    notBefore: instant.nullable().openapi({ description: 'The next attempt after a temporary refusal.' }),
    failure: z.string(),
  })
  .openapi('MailMessage')

const messagePageBody = z
  .object({ items: z.array(messageBody), nextCursor: z.string().nullable() })
  .openapi('MailMessagePage')

const messageDetailsBody = messageBody
  .extend({ html: z.string(), text: z.string() })
  .openapi('MailMessageDetails')

const filters = {
  state: z
    .enum(['all', ...mailStates], `Please choose the state: ${['all', ...mailStates].join(', ')}.`)
    .default('all'),
  search: z
    .string('Please give one search text.')
    .trim()
    .max(maxMailSearch, `Please shorten the search to ${maxMailSearch} characters or fewer.`)
    .refine((text) => !/\p{Cc}/u.test(text), 'Please remove the unusual characters from the search.')
    .default('')
    .openapi({ description: 'Part of an address, a name or a subject.' }),
}

const cursor = z.string().default('').openapi({ description: 'The nextCursor of the previous page.' })

const resultsQuery = z.strictObject({ ...filters, cursor })

const historyQuery = z.strictObject({
  ...filters,
  kind: z
    .enum(['all', ...mailKinds], `Please choose the kind: ${['all', ...mailKinds].join(', ')}.`)
    .default('all'),
  cursor,
})

const settleBody = z
  .strictObject({ as: z.enum(['sent', 'failed'], 'Please decide: sent or failed.') })
  .openapi('MailSettling')

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }
const byId = z.object({ id: z.string() })

const listMessages = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/messages',
  summary: 'List all messages',
  request: { query: historyQuery },
  responses: { 200: json(messagePageBody, 'Newest first.'), ...problems('invalid', 'unauthenticated') },
})

const readMessage = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/messages/{id}',
  summary: 'Read a message',
  description: 'With its HTML and its plain text, as the recipient reads it.',
  request: { params: byId },
  responses: { 200: json(messageDetailsBody, 'The message.'), ...problems('unauthenticated', 'not_found') },
})

const sendAgain = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/messages/{id}/send-again',
  summary: 'Send a message again',
  description:
    'A failed or unknown message; the recipient of an unknown one may get it twice. It goes to the current address ' +
    'of its student.',
  request: { params: byId },
  responses: {
    200: json(messageBody, 'It is queued.'),
    ...problems('unauthenticated', 'not_found', 'conflict', 'unavailable'),
  },
})

const settleMessage = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/messages/{id}/settle',
  summary: 'Mark an unknown message as sent or failed',
  request: { params: byId, body: { required: true, ...json(settleBody, 'The new state.') } },
  responses: {
    200: json(messageBody, 'The current state.'),
    ...problems('invalid', 'unauthenticated', 'not_found', 'conflict'),
  },
})

interface MailMessageRoutesOptions {
  messages: MailMessages
  decisions: MailDecisions
  exportResults: ResultsExport
}

export function createMailMessageRoutes({ messages, decisions, exportResults }: MailMessageRoutesOptions) {
  return createRouter()
    .route('/', createResultsRoutes({ messages, decisions, exportResults }))
    .openapi(listMessages, async (c) => c.json(await messages.history(c.req.valid('query')), 200))
    .openapi(readMessage, async (c) => c.json(await messages.read(c.req.valid('param').id), 200))
    .openapi(sendAgain, async (c) => {
      const { id } = c.req.valid('param')
      await decisions.sendAgain(id, await actorOf(c))
      return c.json(await messages.item(id), 200)
    })
    .openapi(settleMessage, async (c) => {
      const { id } = c.req.valid('param')
      await decisions.settle(id, c.req.valid('json').as, await actorOf(c))
      return c.json(await messages.item(id), 200)
    })
}

const listResults = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/batches/{id}/results',
  summary: 'Results of a bulk e-mail by recipient',
  request: { params: byId, query: resultsQuery },
  responses: {
    200: json(messagePageBody, 'In the order of its list.'),
    ...problems('invalid', 'unauthenticated', 'not_found'),
  },
})

const downloadResults = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/batches/{id}/results.xlsx',
  summary: 'Download the results of a bulk e-mail',
  request: { params: byId, query: z.strictObject(filters) },
  responses: {
    200: {
      content: { [workbookType]: { schema: z.string().openapi({ format: 'binary' }) } },
      description: 'An .xlsx file.',
    },
    ...problems('invalid', 'unauthenticated', 'not_found'),
  },
})

const settleResults = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/batches/{id}/settle',
  summary: 'Mark all unknown messages of a bulk e-mail as sent or failed',
  request: {
    params: byId,
    body: { required: true, ...json(settleBody, 'The new state.') },
  },
  responses: {
    200: json(z.object({ count: z.number().int() }).openapi('MailSettled'), 'The number of messages.'),
    ...problems('invalid', 'unauthenticated', 'not_found'),
  },
})

interface ResultsRoutesOptions {
  messages: Pick<MailMessages, 'results'>
  decisions: Pick<MailDecisions, 'settleBatch'>
  exportResults: ResultsExport
}

function createResultsRoutes({ messages, decisions, exportResults }: ResultsRoutesOptions) {
  return createRouter()
    .openapi(listResults, async (c) =>
      c.json(await messages.results(c.req.valid('param').id, c.req.valid('query')), 200),
    )
    .openapi(downloadResults, async (c) => {
      const { id } = c.req.valid('param')
      const { fileName, workbook } = await exportResults(id, c.req.valid('query'), await actorOf(c))
      // The body of a HEAD request is never read: the workbook must not wait for a reader.
      if (c.req.method === 'HEAD') workbook.destroy()
      c.header('Content-Type', workbookType)
      c.header('Content-Disposition', attachment(fileName))
      return c.body(Readable.toWeb(workbook), 200)
    })
    .openapi(settleResults, async (c) => {
      const { id } = c.req.valid('param')
      const count = await decisions.settleBatch(id, c.req.valid('json').as, await actorOf(c))
      return c.json({ count }, 200)
    })
}

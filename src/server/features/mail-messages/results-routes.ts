import { Readable } from 'node:stream'
import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { attachment } from '#server/http/content-disposition.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { workbookType } from '#server/spreadsheet/workbook.ts'
import type { MailDecisions } from './decisions-service.ts'
import type { ResultsExport } from './results-export.ts'
import { filters, messagePageBody, resultsQuery, settleBody } from './schemas.ts'
import type { MailMessages } from './service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }
const one = z.object({ id: z.string() })

const list = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/batches/{id}/results',
  summary: 'What became of a bulk e-mail, by recipient',
  request: { params: one, query: resultsQuery },
  responses: {
    200: json(messagePageBody, 'In the order of its list.'),
    ...problems('invalid', 'unauthenticated', 'not_found'),
  },
})

const download = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/batches/{id}/results.xlsx',
  summary: 'Download what became of a bulk e-mail',
  request: { params: one, query: z.strictObject(filters) },
  responses: {
    200: {
      content: { [workbookType]: { schema: z.string().openapi({ format: 'binary' }) } },
      description: 'An .xlsx file.',
    },
    ...problems('invalid', 'unauthenticated', 'not_found'),
  },
})

const settle = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/batches/{id}/settle',
  summary: 'Say how all messages of unknown end of a bulk e-mail ended',
  request: { params: one, body: { required: true, ...json(settleBody, 'What they are from now on.') } },
  responses: {
    200: json(z.object({ count: z.number().int() }).openapi('MailSettled'), 'How many they were.'),
    ...problems('invalid', 'unauthenticated', 'not_found'),
  },
})

interface ResultsRoutesOptions {
  messages: Pick<MailMessages, 'results'>
  decisions: Pick<MailDecisions, 'settleBatch'>
  exportResults: ResultsExport
}

/** What became of the messages of a bulk e-mail. */
export function createResultsRoutes({ messages, decisions, exportResults }: ResultsRoutesOptions) {
  return createRouter()
    .openapi(list, async (c) =>
      c.json(await messages.results(c.req.valid('param').id, c.req.valid('query')), 200),
    )
    .openapi(download, async (c) => {
      const { id } = c.req.valid('param')
      const { fileName, workbook } = await exportResults(id, c.req.valid('query'), await actorOf(c))
      // Nobody reads the body of a HEAD request; the workbook must not wait for it.
      if (c.req.method === 'HEAD') workbook.destroy()
      c.header('Content-Type', workbookType)
      c.header('Content-Disposition', attachment(fileName))
      return c.body(Readable.toWeb(workbook), 200)
    })
    .openapi(settle, async (c) => {
      const { id } = c.req.valid('param')
      const count = await decisions.settleBatch(id, c.req.valid('json').as, await actorOf(c))
      return c.json({ count }, 200)
    })
}

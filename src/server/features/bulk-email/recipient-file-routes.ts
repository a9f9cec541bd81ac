import { createRoute } from '@hono/zod-openapi'
import { AppError } from '#server/errors.ts'
import { isForm, readForm } from '#server/http/read-sent.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import type { ReadRecipientFile } from './recipient-file.ts'
import { recipientListBody } from './schemas.ts'

const binary = { type: 'string', format: 'binary' } as const
const missing = 'Please choose a file with recipients.'

const read = createRoute({
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['mail'],
  method: 'post',
  path: '/mail/recipients/file',
  summary: 'Read recipients from a spreadsheet',
  description:
    'An .xlsx or CSV file of up to 20 MB and 50,000 rows. Its columns are found by their headings, such as Email and ' +
    'First Name. Nothing of it is kept.',
  request: {
    body: {
      required: true,
      content: {
        // Read by the route itself.
        'multipart/form-data': { schema: { type: 'object', properties: { file: binary } } },
      },
    },
  },
  responses: {
    200: json(recipientListBody, 'The recipients, and the rows that have none.'),
    ...problems('invalid', 'unauthenticated', 'too_big', 'too_many_requests'),
  },
})

/** Recipients from files. */
export function createRecipientFileRoutes({ readRecipientFile }: { readRecipientFile: ReadRecipientFile }) {
  return createRouter().openapi(read, async (c) => {
    const file = isForm(c) ? (await readForm(c, ['file'])).files.file : undefined
    if (!file || file.bytes.length === 0) {
      throw new AppError('invalid', { detail: missing, errors: [{ path: 'file', message: missing }] })
    }
    return c.json(await readRecipientFile(file.bytes, file.fileName), 200)
  })
}

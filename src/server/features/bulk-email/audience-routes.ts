import { createRoute, z } from '@hono/zod-openapi'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { textMessages } from '#shared/form-text.ts'
import { mailLimits } from '#shared/mail.ts'
import { batchMessages, recipientSchema } from '#shared/mail-batch.ts'
import { periods } from '#shared/periods.ts'
import { archiveFilters, componentFilters, defaultStudentFilters, isAcademicYear } from '#shared/students.ts'
import type { Audiences } from './audience-service.ts'
import { audienceBody, recipientRecordBody } from './schemas.ts'

/** 'all', or nothing, narrows nothing. */
const narrowing = (value: string) => (value === 'all' || value === '' ? undefined : value)

const query = z.strictObject({
  component: z
    .enum(componentFilters, batchMessages.component)
    .default('all')
    .transform((component) => (component === 'all' ? undefined : component)),
  academicYear: z
    .string(batchMessages.academicYear)
    .default('all')
    .transform(narrowing)
    .refine((year) => year === undefined || isAcademicYear(year), batchMessages.academicYear)
    .openapi({ type: 'string', example: '2026-2027' }),
  course: z
    .string(textMessages.notText('course'))
    .trim()
    .max(mailLimits.name, textMessages.tooLong('course', mailLimits.name))
    .refine((course) => !/\p{Cc}/u.test(course), textMessages.characters('course'))
    .default('all')
    .transform(narrowing)
    .openapi({ type: 'string' }),
  archive: z.enum(archiveFilters, batchMessages.archive).default(defaultStudentFilters.archive),
  period: z.enum(periods, batchMessages.period).default(defaultStudentFilters.period),
})

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }

const preview = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/audience',
  summary: 'How many students a bulk e-mail would go to',
  description:
    'By the filters of the list of students; of several students with one address the newest is written to.',
  request: { query },
  responses: {
    200: json(audienceBody, 'The number, who is left out, and a few students to preview the mail with.'),
    ...problems('invalid', 'unauthenticated', 'too_big'),
  },
})

const record = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/recipients/record',
  summary: "What a recipient's record fills in",
  description:
    'Of the newest active student with this address: what stands for the placeholders in a bulk e-mail to a list. ' +
    'Changes nothing; it is a POST so that no address comes into a log.',
  request: {
    body: { required: true, ...json(documented(recipientSchema, 'MailRecipient'), 'The address.') },
  },
  responses: {
    200: json(recipientRecordBody, 'The values, if a student has it.'),
    ...problems('invalid', 'unauthenticated'),
  },
})

/** Whom a bulk e-mail goes to, before it is started. */
export function createAudienceRoutes({ audiences }: { audiences: Audiences }) {
  return createRouter()
    .openapi(preview, async (c) => c.json(await audiences.preview(c.req.valid('query')), 200))
    .openapi(record, async (c) => c.json(await audiences.recordOf(c.req.valid('json').email), 200))
}

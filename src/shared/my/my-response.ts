import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { restrictions } from '#shared/privacy/privacy.ts'

export const mySteps = ['none', 'first', 'second'] as const

export const myStepSchema = namedObject('StudentStep', {
  step: z.enum(mySteps).describe('The step that this browser made; the first shows words alone.'),
})

export const slipsSchema = namedObject('Slips', {
  items: z
    .array(
      z.object({
        id: z.uuid(),
        reference: z.string(),
        name: z.string(),
        section: z.string().describe('In the latest term; empty for none.'),
        code: z.string().describe('In no other answer: only its hash is kept.'),
      }),
    )
    .describe('In the order asked for.'),
})

export type Slip = z.infer<typeof slipsSchema>['items'][number]

export const codeMailSchema = namedObject('CodeMail', {
  state: z
    .enum(['ready', 'sent', 'off', 'held', 'changed', 'refused', 'spent'])
    .describe(
      'ready: a code can be mailed · sent: one is under way, or was sent less than ten minutes ago · off: there is no mail account, ' +
        'or no address · held: the mail server does not answer, or more codes wait than it takes in ten minutes · changed: the address changed less than 7 days ago · ' +
        'refused: the address took the last code of the day not · spent: no more codes are sent today.',
    ),
  until: z.iso.datetime().nullable().describe('Of sent and spent: when it ends.'),
})

export type CodeMail = z.infer<typeof codeMailSchema>

export const studentStateSchema = namedObject('StudentState', {
  academicYear: z.string(),
  archived: z.boolean(),
  restriction: z.enum(restrictions).nullable(),
  placement: z
    .enum(['enlisted', 'waiting', 'placed'])
    .describe('enlisted: in no term · waiting: for a section · placed: in a section.'),
  openRequests: z.int(),
  hasCertificate: z.boolean(),
  mail: codeMailSchema,
})

export type StudentState = z.infer<typeof studentStateSchema>

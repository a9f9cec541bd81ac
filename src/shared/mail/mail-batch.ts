import * as z from 'zod/mini'
import { fieldMessages } from '#shared/field-rules.ts'
import { formText, textMessages } from '#shared/form-text.ts'
import { periods } from '#shared/periods.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters, isAcademicYear } from '#shared/students/students.ts'
import { mailLimits, mailSentences, type StudentAudience } from './mail.ts'
import { isMailAddress } from './mail-address.ts'
import { type PlaceholderTexts, placeholderProblem } from './mail-placeholders.ts'
import { placeholderValuesSchema } from './mail-preview.ts'
import { type RecipientList, readRecipients } from './mail-recipients.ts'

/** What a bulk e-mail is started with: the form of the screen and the body of the API. */

export const batchMessages = {
  message: 'Please write the message.',
  template: 'Please choose a template.',
  custom: 'Please say whether the text is your own: true or false.',
  whom: 'Please choose either a list of recipients or students.',
  component: `Please choose the component: ${nstpComponents.join(', ')}.`,
  academicYear: 'Please give the academic year as two years in a row, such as 2026-2027.',
  archive: `Please choose which students: ${archiveFilters.join(', ')}.`,
  period: `Please choose the period: ${periods.join(', ')}.`,
  unknown: (names: readonly string[]) => `These fields are not known here: ${names.join(', ')}.`,
  shape: 'Please send a JSON object.',
} as const

/** The subject of a bulk e-mail, which may hold placeholders. */
export const batchSubject = formText('subject', {
  required: mailSentences.subjectRequired,
  max: mailLimits.subject,
  check: placeholderProblem,
})

/** The coordinator's own text, which may hold placeholders. */
export const batchBody = formText('message', {
  required: batchMessages.message,
  max: mailLimits.body,
  multiline: true,
  check: placeholderProblem,
})

/** Recipients in any of their forms, as a list that was understood. */
export const batchRecipients = z.pipe(
  z.unknown(),
  z.transform((value, { issues }) => {
    const list = readRecipients(value)
    if (list.problem !== '') issues.push({ code: 'custom', message: list.problem, input: value })
    return list
  }),
)

const strictly = {
  error: (issue: { code: string; keys?: string[] }) =>
    issue.code === 'unrecognized_keys'
      ? batchMessages.unknown(issue.keys ?? [])
      : issue.code === 'invalid_type'
        ? batchMessages.shape
        : undefined,
}

/** One address of a list. */
export const recipientSchema = z.strictObject(
  {
    email: z
      .string({ error: fieldMessages.email })
      .check(z.refine(isMailAddress, { error: fieldMessages.email })),
  },
  strictly,
)

/** Students by the filters of their list. What is left out does not narrow. */
export const audienceSchema = z.strictObject(
  {
    component: z.optional(z.enum(nstpComponents, { error: batchMessages.component })),
    academicYear: z.optional(
      z
        .string({ error: batchMessages.academicYear })
        .check(z.refine(isAcademicYear, { error: batchMessages.academicYear })),
    ),
    course: z.optional(
      z
        .string({ error: textMessages.notText('course') })
        .check(
          z.trim(),
          z.maxLength(mailLimits.name, { error: textMessages.tooLong('course', mailLimits.name) }),
        ),
    ),
    archive: z.optional(z.enum(archiveFilters, { error: batchMessages.archive })),
    period: z.optional(z.enum(periods, { error: batchMessages.period })),
  },
  strictly,
)

const formFields = {
  subject: batchSubject,
  template: z._default(z.string({ error: textMessages.notText('template') }), ''),
  useCustomTemplate: z._default(z.boolean({ error: batchMessages.custom }), false),
  body: z.optional(z.string({ error: textMessages.notText('message') })),
}

/**
 * A new bulk e-mail of the screen. With `useCustomTemplate` the text is `body`, or `template` as programs of the
 * specification send it; else `template` names a stored one.
 */
export const batchSchema = z.pipe(
  z.strictObject(
    { ...formFields, recipients: z.optional(batchRecipients), audience: z.optional(audienceSchema) },
    strictly,
  ),
  z.transform(({ recipients, audience, ...form }, { issues }): BatchForm => {
    const complain: Complain = (path, message, input) =>
      issues.push({ code: 'custom', path: [path], message, input })
    if ((recipients === undefined) === (audience === undefined)) {
      complain('recipients', batchMessages.whom, recipients)
    }
    return { ...readText(form, complain), recipients, audience }
  }),
)

/** The same as other programs send it: to a list. Whoever has a token learns no addresses of students by it. */
export const listBatchSchema = z.pipe(
  z.strictObject({ ...formFields, recipients: batchRecipients }, strictly),
  z.transform(({ recipients, ...form }, { issues }): BatchForm => {
    const complain: Complain = (path, message, input) =>
      issues.push({ code: 'custom', path: [path], message, input })
    return { ...readText(form, complain), recipients }
  }),
)

/** The text of a bulk e-mail to oneself, as a recipient of these values will read it. */
export const batchTestSchema = z.pipe(
  z.strictObject({ ...formFields, values: z._default(placeholderValuesSchema, {}) }, strictly),
  z.transform(({ values, ...form }, { issues }): BatchTest => {
    const complain: Complain = (path, message, input) =>
      issues.push({ code: 'custom', path: [path], message, input })
    return { ...readText(form, complain), values }
  }),
)

interface TextFields {
  subject: string
  template: string
  useCustomTemplate: boolean
  body?: string | undefined
}

/** Tells what is wrong with a field. */
type Complain = (path: string, message: string, input: unknown) => void

/** The text of a form, checked where it stands. */
function readText(
  { subject, template, useCustomTemplate, body }: TextFields,
  complain: Complain,
): Pick<BatchForm, 'subject' | 'template' | 'body'> {
  if (!useCustomTemplate) {
    const name = template.trim()
    if (name === '') complain('template', batchMessages.template, template)
    return { subject, template: name, body: '' }
  }
  const [field, input] = body === undefined ? ['template', template] : ['body', body]
  const result = batchBody.safeParse(input)
  for (const { message } of result.error?.issues ?? []) complain(field, message, input)
  return { subject, template: 'custom', body: result.data ?? '' }
}

/** What of a bulk e-mail is sent to oneself, and whose values it is filled with. */
export interface BatchTest extends Pick<BatchForm, 'subject' | 'template' | 'body'> {
  values: PlaceholderTexts
}

/** A bulk e-mail that can be started. */
export interface BatchForm {
  /** With placeholders. */
  subject: string
  /** A stored template's name, or 'custom'. */
  template: string
  /** The text of one's own, with placeholders; '' for a stored template. */
  body: string
  /** Either a list, or students. */
  recipients?: RecipientList | undefined
  audience?: StudentAudience | undefined
}

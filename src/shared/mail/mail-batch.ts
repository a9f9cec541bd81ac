import * as z from 'zod/mini'
import { fieldMessages, someOf } from '#shared/field-rules.ts'
import { formText, line, textMessages } from '#shared/form-text.ts'
import { periods } from '#shared/periods.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters, isAcademicYear } from '#shared/students/students.ts'
import { mailLimits, mailSentences } from './mail.ts'
import { isMailAddress } from './mail-address.ts'
import { placeholderProblem } from './mail-placeholders.ts'
import { placeholderValuesSchema } from './mail-preview.ts'
import { readRecipients, recipientMessages } from './mail-recipients.ts'

export const batchMessages = {
  message: 'Please write the message.',
  template: 'Please choose a template.',
  custom: 'Please set useCustomTemplate to true or false.',
  whom: 'Please choose either a list of recipients or students.',
  component: `Please choose the component: ${nstpComponents.join(', ')}.`,
  academicYear: 'Please enter the academic year as two consecutive years, such as 2026-2027.',
  archive: `Please choose which students: ${archiveFilters.join(', ')}.`,
  students: 'Please send the ids of students.',
  period: `Please choose the period: ${periods.join(', ')}.`,
} as const

export const batchSubject = formText('subject', {
  required: mailSentences.subjectRequired,
  max: mailLimits.subject,
  check: placeholderProblem,
})

export const batchBody = formText('message', {
  required: batchMessages.message,
  max: mailLimits.body,
  multiline: true,
  check: placeholderProblem,
})

const batchRecipients = z.pipe(
  z.unknown(),
  z.transform((value, { issues }) => {
    const list = readRecipients(value)
    if (list.problem !== '') issues.push({ code: 'custom', message: list.problem, input: value })
    return list
  }),
)

export const recipientSchema = z.strictObject({
  email: z
    .string({ error: fieldMessages.email })
    .check(z.refine(isMailAddress, { error: fieldMessages.email })),
})

export const audienceSchema = z.strictObject({
  component: z.optional(z.enum(nstpComponents, { error: batchMessages.component })),
  academicYear: z.optional(
    z
      .string({ error: batchMessages.academicYear })
      .check(z.refine(isAcademicYear, { error: batchMessages.academicYear })),
  ),
  course: z.optional(line('course', mailLimits.name, { required: false })),
  archive: z.optional(z.enum(archiveFilters, { error: batchMessages.archive })),
  period: z.optional(z.enum(periods, { error: batchMessages.period })),
  /** Only these students are meant. */
  ids: z.optional(
    someOf(
      z.uuid(batchMessages.students),
      mailLimits.recipients,
      batchMessages.students,
      recipientMessages.tooManyStudents,
    ),
  ),
})

const formFields = {
  subject: batchSubject,
  template: z._default(z.string({ error: textMessages.notText('template') }), ''),
  useCustomTemplate: z._default(z.boolean({ error: batchMessages.custom }), false),
  body: z.optional(z.string({ error: textMessages.notText('message') })),
}

type Context = Parameters<Parameters<typeof z.transform<TextFields, unknown>>[0]>[1]

function report({ issues }: Context, path: string, message: string, input: unknown): void {
  issues.push({ code: 'custom', path: [path], message, input })
}

// If `useCustomTemplate` is true, the text is `body`, or `template` for programs that know no `body`.
// Otherwise `template` names a stored template.
function withText<T extends TextFields>(form: T, context: Context) {
  const { subject, template, useCustomTemplate, body, ...others } = form
  if (!useCustomTemplate) {
    const name = template.trim()
    if (name === '') report(context, 'template', batchMessages.template, template)
    return { ...others, subject, template: name, body: '' }
  }
  const [field, input] = body === undefined ? ['template', template] : ['body', body]
  const result = batchBody.safeParse(input)
  for (const { message } of result.error?.issues ?? []) report(context, field, message, input)
  return { ...others, subject, template: 'custom', body: result.data ?? '' }
}

export const batchSchema = z.pipe(
  z.strictObject({
    ...formFields,
    recipients: z.optional(batchRecipients),
    audience: z.optional(audienceSchema),
  }),
  z.transform((form, context) => {
    if ((form.recipients === undefined) === (form.audience === undefined)) {
      report(context, 'recipients', batchMessages.whom, form.recipients)
    }
    return withText(form, context)
  }),
)

// Security: a token reveals no addresses of students.
export const listBatchSchema = z.pipe(
  z.strictObject({ ...formFields, recipients: batchRecipients }),
  z.transform(withText),
)

export const batchTestSchema = z.pipe(
  z.strictObject({ ...formFields, values: z._default(placeholderValuesSchema, {}) }),
  z.transform(withText),
)

interface TextFields {
  subject: string
  template: string
  useCustomTemplate: boolean
  body?: string | undefined
}

export type StudentAudience = z.output<typeof audienceSchema>
export type BatchTest = z.output<typeof batchTestSchema>
export type BatchForm = z.output<typeof batchSchema>

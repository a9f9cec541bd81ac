import * as z from 'zod/mini'
import { shapeError } from '#shared/field-rules.ts'
import { formText, line, yesOrNo } from '#shared/form-text.ts'
import { instantOfLocal } from '#shared/local-time.ts'
import type { FieldError } from '#shared/problem.ts'
import { isCalendarDate } from '#shared/program-calendar.ts'
import { announcementMailSentences, mailToChoices, mailToOf } from './announcement-mail.ts'
import {
  announcementCategories,
  announcementLimits,
  announcementSentences,
  categoryOf,
} from './announcements.ts'

export const announcementMessages = {
  yesOrNo: 'Must be true or false.',
  instant: 'Please choose a date and a time.',
  endsBeforeBeginning: 'Please choose an expiry after the publishing time.',
  endsInThePast: 'Please choose an expiry in the future.',
}

const title = formText('title', {
  required: announcementSentences.titleRequired,
  max: announcementLimits.title,
})
const content = formText('content', {
  required: announcementSentences.contentRequired,
  max: announcementLimits.content,
  multiline: true,
})

const flag = z.optional(yesOrNo(announcementMessages.yesOrNo))

const firstInstant = Date.UTC(2000, 0)
const lastInstant = Date.UTC(2200, 0)

// ms, an ISO text with a zone, or a local time; null or '' for none.
function instant(timeZone: string) {
  return z.pipe(
    z.union([z.null(), z.number(), z.string()], announcementMessages.instant),
    z.transform((value, { issues }) => {
      if (value === null || value === '') return null
      const read = typeof value === 'number' ? new Date(value) : readInstant(value.trim(), timeZone)
      const time = read?.getTime() ?? Number.NaN
      if (read && time >= firstInstant && time < lastInstant) return read
      issues.push({ code: 'custom', message: announcementMessages.instant, input: value })
      return z.NEVER
    }),
  )
}

function readInstant(value: string, timeZone: string): Date | undefined {
  if (/^\d{12,13}$/.test(value)) return new Date(Number(value))
  const isIso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(value)
  if (isIso) return isCalendarDate(value.slice(0, 10)) ? new Date(value) : undefined
  return instantOfLocal(value, timeZone)
}

const mailTo = z.pipe(
  z.unknown().check(z.meta({ enum: [...mailToChoices, '', null] })),
  z.transform((value, { issues }) => {
    const read = mailToOf(value)
    if (read !== undefined) return read
    issues.push({ code: 'custom', message: announcementMailSentences.choose, input: value })
    return z.NEVER
  }),
)

const shape = shapeError(
  'An announcement is one object with the fields of its form.',
  (names) => `These fields are not known here: ${names}.`,
)

function optionalFields(timeZone: string) {
  return {
    // Anything that is none is General (product 18.3).
    category: z.optional(
      z.pipe(z.unknown().check(z.meta({ enum: announcementCategories })), z.transform(categoryOf)),
    ),
    pinned: flag,
    draft: flag,
    publishAt: z.optional(instant(timeZone)),
    expireAt: z.optional(instant(timeZone)),
    // Kept for the category Event only.
    eventAt: z.optional(instant(timeZone)),
    place: z.optional(line('place', announcementLimits.place, { required: false })),
    mailTo: z.optional(mailTo),
    keepExistingImage: flag,
    keepExistingAttachment: flag,
  }
}

export function createAnnouncementSchema(timeZone: string) {
  return z.strictObject({ title, content, ...optionalFields(timeZone) }, shape)
}

export function createAnnouncementEditSchema(timeZone: string) {
  return z.strictObject(
    { title: z.optional(title), content: z.optional(content), ...optionalFields(timeZone) },
    shape,
  )
}

export type AnnouncementEdit = z.output<ReturnType<typeof createAnnouncementEditSchema>>
export type NewAnnouncement = z.output<ReturnType<typeof createAnnouncementSchema>>

interface Times {
  publishAt: Date | null
  expireAt: Date | null
}

export function problemOfTimes({ publishAt, expireAt }: Times, now: Date): FieldError | undefined {
  if (expireAt === null) return undefined
  if (expireAt <= now) return { path: 'expireAt', message: announcementMessages.endsInThePast }
  return publishAt !== null && expireAt <= publishAt
    ? { path: 'expireAt', message: announcementMessages.endsBeforeBeginning }
    : undefined
}

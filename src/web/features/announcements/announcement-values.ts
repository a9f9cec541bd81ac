import { announcementMessages, createAnnouncementSchema, problemOfTimes } from '#shared/announcement-form.ts'
import { choiceOf, type MailToChoice } from '#shared/announcement-mail.ts'
import type { AnnouncementCategory, ManagedAnnouncement } from '#shared/announcements.ts'
import { instantOfLocal, type LocalTime, localTimeOf } from '#shared/local-time.ts'
import type { FieldError } from '#shared/problem.ts'

/** When an announcement is to be public: not yet, from now on (or as it is already), from a moment on. */
export type Publication = 'draft' | 'now' | 'at'

/** What stands in the form; the names are those of the API's fields. */
export interface AnnouncementValues {
  title: string
  content: string
  category: AnnouncementCategory
  pinned: boolean
  publication: Publication
  /** By the program's clocks, as is the end; '' for none. */
  publishAt: LocalTime
  expireAt: LocalTime
  /** Who gets it by e-mail when it is published. */
  mailTo: MailToChoice
  /** Chosen here and not sent yet. */
  image: File | null
  attachment: File | null
  keepExistingImage: boolean
  keepExistingAttachment: boolean
}

/** The form of a new announcement. */
export const emptyValues: AnnouncementValues = {
  title: '',
  content: '',
  category: 'General',
  pinned: false,
  publication: 'now',
  publishAt: '',
  expireAt: '',
  mailTo: 'nobody',
  image: null,
  attachment: null,
  keepExistingImage: true,
  keepExistingAttachment: true,
}

const publications = {
  draft: 'draft',
  scheduled: 'at',
  published: 'now',
  expired: 'now',
} as const satisfies Record<ManagedAnnouncement['state'], Publication>

/** The form of an announcement as it is. */
export function valuesOf(announcement: ManagedAnnouncement, timeZone: string): AnnouncementValues {
  const { title, content, category, pinned, state, publishAt, expireAt, mailTo } = announcement
  const local = (instant: number | null) => (instant === null ? '' : localTimeOf(new Date(instant), timeZone))
  return {
    ...emptyValues,
    title,
    content,
    category,
    pinned,
    publication: publications[state],
    publishAt: state === 'scheduled' ? local(publishAt) : '',
    expireAt: local(expireAt),
    mailTo: choiceOf(mailTo),
  }
}

interface FormMoment {
  timeZone: string
  now: Date
  formerEnd: LocalTime
  /** Of the end only a part is typed: it counts as none. */
  isEndHalfTyped: boolean
}

/** The rules that the form breaks, in its order. An end that was there before may have passed. */
export function problemsOf(
  values: AnnouncementValues,
  { timeZone, now, formerEnd, isEndHalfTyped }: FormMoment,
): FieldError[] {
  const { title, content, publication, publishAt, expireAt } = values
  const begins = publication === 'at' ? publishAt : ''
  const { error } = createAnnouncementSchema(timeZone).safeParse({
    title,
    content,
    publishAt: begins,
    expireAt,
  })
  const problems = error?.issues.map(({ path, message }) => ({ path: path.join('.'), message })) ?? []
  if (publication === 'at' && publishAt === '') {
    problems.push({ path: 'publishAt', message: announcementMessages.instant })
  }
  if (isEndHalfTyped) return [...problems, { path: 'expireAt', message: announcementMessages.instant }]
  const end = problemOfTimes(
    {
      publishAt: instantOfLocal(begins, timeZone) ?? null,
      expireAt: expireAt === formerEnd ? null : (instantOfLocal(expireAt, timeZone) ?? null),
    },
    now,
  )
  return end ? [...problems, end] : problems
}

/** The form as it is sent. */
export function bodyOf(values: AnnouncementValues): FormData {
  const { publication, image, attachment } = values
  const body = new FormData()
  const texts = {
    title: values.title,
    content: values.content,
    category: values.category,
    pinned: String(values.pinned),
    draft: String(publication === 'draft'),
    publishAt: publication === 'at' ? values.publishAt : '',
    expireAt: values.expireAt,
    mailTo: values.mailTo,
    keepExistingImage: String(values.keepExistingImage),
    keepExistingAttachment: String(values.keepExistingAttachment),
  }
  for (const [name, text] of Object.entries(texts)) body.set(name, text)
  if (image) body.set('image', image)
  if (attachment) body.set('attachment', attachment)
  return body
}

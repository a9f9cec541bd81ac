import {
  announcementMessages,
  createAnnouncementSchema,
  problemOfTimes,
} from '#shared/announcements/announcement-form.ts'
import { choiceOf, type MailToChoice } from '#shared/announcements/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import type { AnnouncementCategory } from '#shared/announcements/announcements.ts'
import { instantOfLocal, type LocalTime, localTimeOf } from '#shared/local-time.ts'
import type { FieldError } from '#shared/problem.ts'
import { fieldErrors } from '#shared/problem.ts'

export type Publication = 'draft' | 'now' | 'at'

export interface AnnouncementValues {
  title: string
  content: string
  category: AnnouncementCategory
  pinned: boolean
  publication: Publication
  /** The time in the program's time zone, as is the end; '' for none. */
  publishAt: LocalTime
  expireAt: LocalTime
  /** The time of the event. Only the category Event has one. */
  eventAt: LocalTime
  place: string
  mailTo: MailToChoice
  /** The address of the stored one; '' for none. */
  image: File | string
  attachment: File | StoredFile | null
}

interface StoredFile {
  url: string
  name: string
  size: number | null
}

export const emptyValues: AnnouncementValues = {
  title: '',
  content: '',
  category: 'General',
  pinned: false,
  publication: 'now',
  publishAt: '',
  expireAt: '',
  eventAt: '',
  place: '',
  mailTo: 'nobody',
  image: '',
  attachment: null,
}

const publications = {
  draft: 'draft',
  scheduled: 'at',
  published: 'now',
  expired: 'now',
} as const satisfies Record<ManagedAnnouncement['state'], Publication>

export function valuesOf(announcement: ManagedAnnouncement, timeZone: string): AnnouncementValues {
  const { title, content, category, pinned, state, publishAt, expireAt } = announcement
  const { eventAt, place, mailTo } = announcement
  const local = (instant: number | null) => (instant === null ? '' : localTimeOf(new Date(instant), timeZone))
  return {
    title,
    content,
    category,
    pinned,
    publication: publications[state],
    publishAt: state === 'scheduled' ? local(publishAt) : '',
    expireAt: local(expireAt),
    eventAt: local(eventAt),
    place,
    mailTo: choiceOf(mailTo),
    image: announcement.imageUrl ?? '',
    attachment: attachmentOf(announcement),
  }
}

export function attachmentOf(announcement: ManagedAnnouncement): StoredFile | null {
  const { attachmentUrl: url, attachmentName: name, attachmentSize: size } = announcement
  return url === null || name === null ? null : { url, name, size }
}

interface FormMoment {
  timeZone: string
  now: Date
  formerEnd: LocalTime
  /** A half-typed date or time reads as empty. */
  isHalfTyped: (id: 'expireAt' | 'eventAt') => boolean
}

/** The problems in form order. A stored end may be in the past. */
export function problemsOf(
  values: AnnouncementValues,
  { timeZone, now, formerEnd, isHalfTyped }: FormMoment,
): FieldError[] {
  const { title, content, publication, publishAt, expireAt, category, eventAt, place } = values
  const begins = publication === 'at' ? publishAt : ''
  const { error } = createAnnouncementSchema(timeZone).safeParse({
    title,
    content,
    publishAt: begins,
    expireAt,
    ...(category === 'Event' ? { eventAt, place } : {}),
  })
  const problems = fieldErrors(error)
  if (publication === 'at' && publishAt === '') {
    problems.push({ path: 'publishAt', message: announcementMessages.instant })
  }
  if (category === 'Event' && isHalfTyped('eventAt')) {
    problems.push({ path: 'eventAt', message: announcementMessages.instant })
  }
  if (isHalfTyped('expireAt'))
    return [...problems, { path: 'expireAt', message: announcementMessages.instant }]
  const end = problemOfTimes(
    {
      publishAt: instantOfLocal(begins, timeZone) ?? null,
      expireAt: expireAt === formerEnd ? null : (instantOfLocal(expireAt, timeZone) ?? null),
    },
    now,
  )
  return end ? [...problems, end] : problems
}

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
    eventAt: values.eventAt,
    place: values.place,
    mailTo: values.mailTo,
    keepExistingImage: String(image !== ''),
    keepExistingAttachment: String(attachment !== null),
  }
  for (const [name, text] of Object.entries(texts)) body.set(name, text)
  if (image instanceof File) body.set('image', image)
  if (attachment instanceof File) body.set('attachment', attachment)
  return body
}

// The page's main element already has the id `content`.
export const contentId = 'announcement-content'

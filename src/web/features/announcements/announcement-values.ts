import { useRef, useState } from 'react'
import {
  announcementMessages,
  createAnnouncementSchema,
  problemOfTimes,
} from '#shared/announcements/announcement-form.ts'
import { choiceOf, type MailToChoice } from '#shared/announcements/announcement-mail.ts'
import {
  type AnnouncementCategory,
  announcementSentences,
  type ManagedAnnouncement,
} from '#shared/announcements/announcements.ts'
import { instantOfLocal, type LocalTime, localTimeOf } from '#shared/local-time.ts'
import type { FieldError } from '#shared/problem.ts'
import { useHeldSession } from '#web/components/held-session.ts'
import { type RecordTarget, sendRecord, sentId, useContentForm } from '#web/lib/content-form.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'

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

/** The page's own content has that name already. */
export const contentId = 'announcement-content'

interface AnnouncementFormOptions {
  /** Null for a new announcement. */
  held: ManagedAnnouncement | null
  onSaved: () => void
}

/** The form of an announcement: its values, its rules, and how it is sent. */
export function useAnnouncementForm({ held, onSaved }: AnnouncementFormOptions) {
  const timeZone = useProgramTimeZone()
  const target = useRef<RecordTarget>(held)
  const [isNew, setNew] = useState(held === null)
  const [initial] = useState(() => (held ? valuesOf(held, timeZone) : emptyValues))
  const form = useContentForm<AnnouncementValues, string>({
    initial,
    problemsOf: (values) =>
      problemsOf(values, {
        timeZone,
        now: new Date(),
        formerEnd: initial.expireAt,
        isEndHalfTyped: isHalfTyped('expireAt'),
      }),
    controlId: (path) => (path === 'content' ? contentId : path),
    send: (values, onProgress) =>
      sendRecord({
        collection: '/api/announcements',
        target: target.current,
        body: bodyOf(values),
        read: sentId,
        onProgress,
      }),
    onSaved,
  })
  useHeldSession(form.isDirty)

  return {
    ...form,
    timeZone,
    /** Saving it adds an announcement. */
    isNew,
    /** It was deleted by somebody else while it was edited. */
    isGone: held !== null && form.failure?.sentence === announcementSentences.missing,
    /** Saves it whatever somebody else made of it meanwhile. @param version that it has now */
    saveOver(version: number) {
      target.current = target.current && { ...target.current, version }
      void form.submit()
    },
    saveAsNew() {
      target.current = null
      setNew(true)
      void form.submit()
    },
  }
}

export type AnnouncementForm = ReturnType<typeof useAnnouncementForm>

/**
 * Whether a date or a time is typed in part. Its control holds nothing then, as if the person had left it empty.
 *
 * @param id of the control
 */
function isHalfTyped(id: string): boolean {
  const control = document.getElementById(id)
  return control instanceof HTMLInputElement && control.validity.badInput
}

import { useRef, useState } from 'react'
import {
  announcementMessages,
  createAnnouncementSchema,
  problemOfTimes,
} from '#shared/announcements/announcement-form.ts'
import { choiceOf, type MailToChoice } from '#shared/announcements/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { type AnnouncementCategory, announcementSentences } from '#shared/announcements/announcements.ts'
import { instantOfLocal, type LocalTime, localTimeOf } from '#shared/local-time.ts'
import type { FieldError } from '#shared/problem.ts'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { type RecordTarget, sendRecord, sentId, useContentForm } from '#web/lib/content-form.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'

export type Publication = 'draft' | 'now' | 'at'

export interface AnnouncementValues {
  title: string
  content: string
  category: AnnouncementCategory
  pinned: boolean
  publication: Publication
  /** In the program's time zone, as is the end; '' for none. */
  publishAt: LocalTime
  expireAt: LocalTime
  mailTo: MailToChoice
  image: File | null
  attachment: File | null
  keepExistingImage: boolean
  keepExistingAttachment: boolean
}

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
  /** A half-typed end counts as none. */
  isEndHalfTyped: boolean
}

/** In form order. A stored end may be in the past. */
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

// The page's main element already has the id `content`.
export const contentId = 'announcement-content'

interface AnnouncementFormOptions {
  stored: ManagedAnnouncement | null
  onSaved: () => void
}

export function useAnnouncementForm({ stored, onSaved }: AnnouncementFormOptions) {
  const timeZone = useProgramTimeZone()
  const target = useRef<RecordTarget>(stored)
  const [isNew, setNew] = useState(stored === null)
  const [initial] = useState(() => (stored ? valuesOf(stored, timeZone) : emptyValues))
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
  useDeferredSessionEnd(form.isDirty)

  return {
    ...form,
    timeZone,
    isNew,
    isGone: stored !== null && form.failure?.sentence === announcementSentences.missing,
    // Overwrites another user's change. `version` is the one stored now.
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

/** A half-typed date or time reads as empty. */
function isHalfTyped(id: string): boolean {
  const control = document.getElementById(id)
  return control instanceof HTMLInputElement && control.validity.badInput
}

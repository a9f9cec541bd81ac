import { useRef, useState } from 'react'
import { announcementSentences, type ManagedAnnouncement } from '#shared/announcements.ts'
import { useHeldSession } from '#web/components/held-session.ts'
import { useContentForm } from '#web/lib/content-form.ts'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { sendForm } from '#web/lib/send-form.ts'
import { type AnnouncementValues, bodyOf, emptyValues, problemsOf, valuesOf } from './announcement-values.ts'

/** The page's own content has that name already. */
export const contentId = 'announcement-content'

/** The announcement that a save changes, at the version that it starts from; null adds a new one. */
type Target = { id: string; version: number } | null

interface AnnouncementFormOptions {
  /** Null for a new announcement. */
  held: ManagedAnnouncement | null
  onSaved: () => void
}

/** The form of an announcement: its values, its rules, and how it is sent. */
export function useAnnouncementForm({ held, onSaved }: AnnouncementFormOptions) {
  const timeZone = useProgramTimeZone()
  const target = useRef<Target>(held)
  const [initial] = useState(() => (held ? valuesOf(held, timeZone) : emptyValues))
  const form = useContentForm<AnnouncementValues, string>({
    initial,
    problemsOf: (values) => problemsOf(values, { timeZone, now: new Date(), formerEnd: initial.expireAt }),
    controlId: (path) => (path === 'content' ? contentId : path),
    send: (values, onProgress) => send(target.current, values, onProgress),
    onSaved,
  })
  useHeldSession(form.isDirty)

  return {
    ...form,
    timeZone,
    /** It was deleted by somebody else while it was edited. */
    isGone: held !== null && form.failure?.sentence === announcementSentences.missing,
    /** Saves it whatever somebody else made of it meanwhile. @param version that it has now */
    saveOver(version: number) {
      target.current = target.current && { ...target.current, version }
      void form.submit()
    },
    saveAsNew() {
      target.current = null
      void form.submit()
    },
  }
}

export type AnnouncementForm = ReturnType<typeof useAnnouncementForm>

function send(target: Target, values: AnnouncementValues, onProgress: (part: number) => void) {
  const common = { body: bodyOf(values), read: idOf, onProgress }
  return target === null
    ? sendForm({ ...common, method: 'POST', path: '/api/announcements' })
    : sendForm({
        ...common,
        method: 'PATCH',
        path: `/api/announcements/${target.id}`,
        headers: { 'If-Match': `"${target.version}"` },
      })
}

function idOf(answer: unknown): string | undefined {
  return typeof answer === 'object' && answer !== null && 'id' in answer && typeof answer.id === 'string'
    ? answer.id
    : undefined
}

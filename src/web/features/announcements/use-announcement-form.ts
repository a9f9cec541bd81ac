import { useRef, useState } from 'react'
import { announcementSentences, type ManagedAnnouncement } from '#shared/announcements.ts'
import { useHeldSession } from '#web/components/held-session.ts'
import { useContentForm } from '#web/lib/content-form.ts'
import { isHalfTyped } from '#web/lib/half-typed.ts'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { type RecordTarget, sendRecord, sentId } from '#web/lib/send-record.ts'
import { type AnnouncementValues, bodyOf, emptyValues, problemsOf, valuesOf } from './announcement-values.ts'

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

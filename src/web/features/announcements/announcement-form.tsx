import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { instantOfLocal } from '#shared/local-time.ts'
import { Button } from '#web/components/button.tsx'
import { DeletedNotice, type EditForm, Form, useEditForm } from '#web/components/form.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { sendRecord, sentId } from '#web/lib/content-form.ts'
import { useInstantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { AnnouncementFields, mailToLabels } from './announcement-fields.tsx'
import {
  type AnnouncementValues,
  bodyOf,
  contentId,
  emptyValues,
  isHalfTyped,
  problemsOf,
  valuesOf,
} from './announcement-values.ts'
import { newAnnouncement, readManaged, readManagerAddress } from './data.ts'

interface AnnouncementFormProps {
  stored: ManagedAnnouncement | null
  foot: HTMLElement | null
  onClose: () => void
}

// Spec §9, in ms.
const closeMs = 2_000

/** Spec §2, §4. */
export function AnnouncementForm({ stored, foot, onClose }: AnnouncementFormProps) {
  const timeZone = useProgramTimeZone()
  const { momentOf } = useInstantTexts()
  const readAgain = useReadAgain()
  const target = useRef(stored?.id)
  const [isNew, setNew] = useState(stored === null)
  const values = stored ? valuesOf(stored, timeZone) : emptyValues
  const form = useEditForm<AnnouncementValues, string>({
    values,
    problemsOf: (typed) =>
      problemsOf(typed, {
        timeZone,
        now: new Date(),
        formerEnd: values.expireAt,
        isEndHalfTyped: isHalfTyped('expireAt'),
      }),
    controlId: (path) => (path === 'content' ? contentId : path),
    staysOpen: ({ search }) =>
      readManagerAddress(new URLSearchParams(search)).opened === (stored?.id ?? newAnnouncement),
    record: stored
      ? {
          what: 'announcement',
          version: stored.version,
          labelOf: (name) => labels[name],
          textOf: (name, shown) =>
            textOf(name, shown, (local) => momentOf(instantOfLocal(local, timeZone)?.getTime() ?? local)),
          async read() {
            const now = await readManaged(stored.id)
            return { values: valuesOf(now, timeZone), version: now.version }
          },
        }
      : undefined,
    send: (typed, { version, onProgress }) =>
      sendRecord({
        collection: '/api/announcements',
        target: target.current === undefined ? null : { id: target.current, version },
        body: bodyOf(typed),
        read: sentId,
        onProgress,
      }),
    // The notice of the change comes too, but not while the connection for notices is lost.
    onSaved: () => void readAgain(),
    close: { after: closeMs, now: onClose },
  })

  function postAsNew() {
    target.current = undefined
    setNew(true)
    void form.submit()
  }

  return (
    <>
      <Form form={form} className="flex flex-col gap-4">
        {!isNew && form.failure?.code === 'not_found' && (
          <DeletedNotice lost="files are gone" action="Post as a new announcement" onAct={postAsNew} />
        )}
        <fieldset disabled={form.phase === 'saved'} className="min-w-0">
          <AnnouncementFields form={form} stored={stored} />
        </fieldset>
      </Form>
      {foot && createPortal(<Foot form={form} isNew={isNew} onClose={onClose} />, foot)}
    </>
  )
}

interface FootProps {
  form: EditForm<AnnouncementValues>
  isNew: boolean
  onClose: () => void
}

function Foot({ form: { id, phase, progress, values }, isNew, onClose }: FootProps) {
  const done = useRef<HTMLParagraphElement>(null)
  const isSaved = phase === 'saved'
  useEffect(() => {
    // The button that had the focus is gone.
    if (isSaved) done.current?.focus()
  }, [isSaved])

  if (isSaved) {
    return (
      <p
        ref={done}
        role="status"
        tabIndex={-1}
        className="mr-auto py-1.5 font-semibold text-success outline-hidden"
      >
        {isNew ? 'Announcement posted successfully!' : 'Announcement updated successfully!'}
      </p>
    )
  }
  const isSending = phase === 'sending'
  const hasFiles = values.image instanceof File || values.attachment instanceof File
  return (
    <>
      {isSending && hasFiles && (
        <div className="min-w-48 flex-1">
          <ProgressBar label="Uploading" part={progress ?? 0} />
        </div>
      )}
      <Button variant="outline" size="sm" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={id} size="sm" aria-disabled={isSending}>
        {isSending ? 'Saving…' : isNew ? postLabels[values.publication] : 'Save changes'}
      </Button>
    </>
  )
}

const postLabels = { now: 'Post announcement', at: 'Schedule announcement', draft: 'Save draft' }

const labels: Record<keyof AnnouncementValues, string> = {
  title: 'Title',
  content: 'Content',
  category: 'Category',
  pinned: 'Pinned',
  publication: 'Publication',
  publishAt: 'Publish at',
  expireAt: 'Expires',
  mailTo: 'Sent by e-mail to',
  image: 'Image',
  attachment: 'Attachment',
}

const publicationTexts = { now: 'Published', at: 'Scheduled', draft: 'Draft' }

// Letters shown of a long text.
const mostLetters = 160

/** @param momentOf formats a local time */
export function textOf(
  name: keyof AnnouncementValues,
  values: AnnouncementValues,
  momentOf: (local: string) => string,
): string {
  const { content, publishAt, expireAt, image, attachment } = values
  const texts: Record<keyof AnnouncementValues, string> = {
    ...values,
    content: content.length > mostLetters ? `${content.slice(0, mostLetters)}…` : content,
    pinned: values.pinned ? 'Yes' : 'No',
    publication: publicationTexts[values.publication],
    publishAt: publishAt && momentOf(publishAt),
    expireAt: expireAt === '' ? 'Never' : momentOf(expireAt),
    mailTo: mailToLabels[values.mailTo],
    image: image instanceof File ? image.name : image && 'Saved image',
    attachment: attachment?.name ?? '',
  }
  return texts[name]
}

import { useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { choiceOf } from '#shared/announcements/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { Button } from '#web/components/button.tsx'
import { ConflictPanel } from '#web/components/conflict-panel.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { scrollIntoSight } from '#web/lib/focus.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { AnnouncementFields, mailToLabels } from './announcement-fields.tsx'
import { type AnnouncementForm as Form, useAnnouncementForm } from './announcement-values.ts'
import { newAnnouncement, readManaged, readManagerAddress } from './data.ts'

interface AnnouncementFormProps {
  stored: ManagedAnnouncement | null
  foot: HTMLElement | null
  onTakeOver: (now: ManagedAnnouncement) => void
  onClose: () => void
}

const formId = 'announcement-form'

// Spec §9, in ms.
const closeMs = 2_000

/** Spec §2, §4. */
export function AnnouncementForm({ stored, foot, onTakeOver, onClose }: AnnouncementFormProps) {
  const readAgain = useReadAgain()
  // The notice of the change comes too, but not while the connection for notices is lost.
  const form = useAnnouncementForm({ stored, onSaved: readAgain })
  const { phase, failure, isGone } = form
  useClosing(phase === 'saved', onClose)
  const opened = stored?.id ?? newAnnouncement
  const guard = useUnsavedGuard(
    form.isDirty,
    ({ search }) => readManagerAddress(new URLSearchParams(search)).opened === opened,
  )

  return (
    <>
      <form
        id={formId}
        noValidate
        aria-busy={phase === 'sending'}
        className="flex flex-col gap-4"
        onSubmit={(event) => void form.submit(event)}
      >
        <p aria-live="assertive" className="sr-only">
          {form.errors[0]?.message}
        </p>
        {failure?.isConflict && stored ? (
          <AnnouncementConflict
            seen={stored}
            onTakeOver={onTakeOver}
            onSaveOver={({ version }) => form.saveOver(version)}
          />
        ) : (
          failure && <FormFailure message={failure.sentence || 'An error occurred'} />
        )}
        {isGone && <GoneNotice onPost={form.saveAsNew} />}
        <fieldset disabled={phase === 'saved'} className="min-w-0">
          <AnnouncementFields form={form} stored={stored} />
        </fieldset>
      </form>
      {foot && createPortal(<Foot form={form} onClose={onClose} />, foot)}
      <UnsavedPrompt open={guard.isAsking} onDiscard={guard.discard} onKeep={guard.keep} />
    </>
  )
}

function useClosing(isSaved: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isSaved) return
    const timer = setTimeout(() => close(), closeMs)
    return () => clearTimeout(timer)
  }, [isSaved])
}

function GoneNotice({ onPost }: { onPost: () => void }) {
  return (
    <div
      ref={scrollIntoSight}
      className="scroll-my-5 flex flex-wrap items-center gap-3 rounded-box bg-warning-soft px-4 py-3 text-sm"
    >
      <p className="min-w-48 flex-1">
        It was deleted while you were editing. Your changes are still here, but its saved files are gone.
      </p>
      <Button variant="outline" size="sm" onClick={onPost}>
        Post as a new announcement
      </Button>
    </div>
  )
}

interface FootProps {
  form: Form
  onClose: () => void
}

function Foot({ form: { phase, progress, values, isNew }, onClose }: FootProps) {
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
  const hasFiles = values.image !== null || values.attachment !== null
  return (
    <>
      {isSending && hasFiles && (
        <div className="min-w-48 flex-1">
          <ProgressBar label="Uploading" part={progress} />
        </div>
      )}
      <Button variant="outline" size="sm" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} size="sm" aria-disabled={isSending}>
        {isSending ? 'Saving…' : saveLabel(isNew, values.publication)}
      </Button>
    </>
  )
}

function saveLabel(isNew: boolean, publication: Form['values']['publication']): string {
  if (!isNew) return 'Save changes'
  return { now: 'Post announcement', at: 'Schedule announcement', draft: 'Save draft' }[publication]
}

interface AnnouncementConflictProps {
  seen: ManagedAnnouncement
  onTakeOver: (now: ManagedAnnouncement) => void
  onSaveOver: (now: ManagedAnnouncement) => void
}

function AnnouncementConflict({ seen, onTakeOver, onSaveOver }: AnnouncementConflictProps) {
  const { momentOf } = useInstantTexts()
  return (
    <ConflictPanel
      what="announcement"
      read={(signal) => readManaged(seen.id, signal)}
      changesOf={(now) => otherChanges(seen, now, momentOf)}
      saveLabel="Overwrite with mine"
      onTakeOver={onTakeOver}
      onSaveOver={onSaveOver}
    />
  )
}

interface OtherChange {
  label: string
  now: string
}

// Letters shown of a long text.
const mostLetters = 160

/** @param momentOf formats an instant */
export function otherChanges(
  seen: ManagedAnnouncement,
  now: ManagedAnnouncement,
  momentOf: (instant: number) => string,
): OtherChange[] {
  const describe: readonly { label: string; of: (announcement: ManagedAnnouncement) => string }[] = [
    { label: 'Title', of: ({ title }) => title },
    { label: 'Category', of: ({ category }) => category },
    { label: 'Content', of: ({ content }) => content },
    { label: 'Image', of: ({ imageUrl }) => imageUrl ?? '' },
    { label: 'Attachment', of: ({ attachmentUrl }) => attachmentUrl ?? '' },
    { label: 'Pinned', of: ({ pinned }) => (pinned ? 'Yes' : 'No') },
    {
      label: 'Published',
      of: ({ publishAt }) => (publishAt === null ? 'No (draft)' : momentOf(publishAt)),
    },
    { label: 'Expires', of: ({ expireAt }) => (expireAt === null ? 'Never' : momentOf(expireAt)) },
    { label: 'Sent by e-mail to', of: ({ mailTo }) => mailToLabels[choiceOf(mailTo)] },
  ]
  return describe
    .filter(({ of }) => of(seen) !== of(now))
    .map(({ label, of }) => ({ label, now: inWords(label, now, of(now)) }))
}

function inWords(label: string, { attachmentName }: ManagedAnnouncement, text: string): string {
  if (label === 'Image') return text === '' ? 'Removed' : 'New image'
  if (label === 'Attachment') return text === '' ? 'Removed' : (attachmentName ?? 'New file')
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text
}

import { FileText, Paperclip } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { type MailToChoice, mailToChoices } from '#shared/announcements/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import {
  announcementCategories,
  announcementLimits,
  categoryOf,
} from '#shared/announcements/announcements.ts'
import { attachmentLimit, attachmentMessages, imageLimits } from '#shared/files/images.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { FileField, ImageField } from '#web/components/file-field.tsx'
import { FormattingHelp } from '#web/components/formatting-help.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf, lengthHint, sizeText } from '#web/lib/number-texts.ts'
import { AnnouncementText } from './announcement-body.tsx'
import { type AnnouncementForm, contentId, type Publication } from './announcement-values.ts'

export const mailToLabels: Record<MailToChoice, string> = {
  nobody: 'No one',
  all: 'All students',
  ROTC: 'ROTC',
  CWTS: 'CWTS',
  LTS: 'LTS',
}

interface AnnouncementFieldsProps {
  form: AnnouncementForm
  stored: ManagedAnnouncement | null
}

export function AnnouncementFields({ form, stored }: AnnouncementFieldsProps) {
  const { values, change, errorOf } = form
  return (
    <div className="grid items-start gap-x-6 gap-y-5 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <TextField
          name="title"
          label="Title"
          required
          density="compact"
          autoComplete="off"
          value={values.title}
          error={errorOf('title')}
          onChange={({ target }) => change({ title: target.value })}
        />
        <ContentField
          value={values.content}
          error={errorOf('content')}
          onChange={(content) => change({ content })}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <SelectField
          name="category"
          label="Category"
          density="compact"
          options={announcementCategories}
          value={values.category}
          onChange={({ target }) => change({ category: categoryOf(target.value) })}
        />
        <label className="flex min-h-9 items-center gap-2.5 text-sm font-semibold">
          <input
            type="checkbox"
            name="pinned"
            className="size-4.5 accent-primary"
            checked={values.pinned}
            onChange={({ target }) => change({ pinned: target.checked })}
          />
          Pin to top
        </label>
        <PublicationFields form={form} stored={stored} />
        <MailField form={form} stored={stored} />
        <Files form={form} stored={stored} />
      </div>
    </div>
  )
}

/** Each is left, replaced or removed (spec §4). */
function Files({ form: { values, change, errorOf, refuseField, hold }, stored }: AnnouncementFieldsProps) {
  const { image, attachment, keepExistingImage, keepExistingAttachment } = values
  return (
    <>
      <ImageField
        name="image"
        label="Image"
        hint="JPEG, PNG, GIF or WEBP, up to 5 MB. Large images are resized."
        maxBytes={imageLimits.announcement}
        currentUrl={keepExistingImage ? (stored?.imageUrl ?? null) : null}
        chosen={image}
        error={errorOf('image')}
        onChoose={(file) => change({ image: file })}
        onRefuse={(sentence) => refuseField('image', sentence)}
        onHold={(sentence) => hold('image', sentence)}
        // What was chosen goes first; then what is in use.
        onRemove={() => change(image ? { image: null } : { image: null, keepExistingImage: false })}
      />
      <AttachmentField
        current={
          keepExistingAttachment && stored?.attachmentName != null
            ? { name: stored.attachmentName, size: stored.attachmentSize }
            : null
        }
        chosen={attachment}
        error={errorOf('attachment')}
        onChoose={(file) => change({ attachment: file })}
        onRefuse={(sentence) => refuseField('attachment', sentence)}
        onRemove={() =>
          change(attachment ? { attachment: null } : { attachment: null, keepExistingAttachment: false })
        }
      />
    </>
  )
}

interface ShownFile {
  name: string
  size: number | null
}

interface AttachmentFieldProps {
  current: ShownFile | null
  /** The current file, unless it is to be removed. */
  chosen: File | null
  error: string | undefined
  onChoose: (file: File) => void
  onRefuse: (sentence: string) => void
  onRemove: () => void
}

function AttachmentField({ current, chosen, error, onChoose, onRefuse, onRemove }: AttachmentFieldProps) {
  const shown = chosen ?? current

  function take(file: File) {
    if (file.size < attachmentLimit) onChoose(file)
    else onRefuse(attachmentMessages.tooLarge)
  }

  return (
    <FileField
      name="attachment"
      label="Attachment"
      hint="Any file type, smaller than 10 MB."
      error={error}
      choose={shown ? 'Choose another file' : 'Choose a file'}
      icon={<Paperclip aria-hidden="true" className="size-4" />}
      shown={shown && <ChosenFile file={shown} state={chosen ? 'Chosen' : 'In use'} />}
      onTake={take}
      onRemove={onRemove}
    />
  )
}

function ChosenFile({ file, state }: { file: ShownFile; state: string }) {
  const { name, size } = file
  return (
    <p className="flex w-full items-center gap-2 rounded-box border bg-soft px-3 py-2 text-sm">
      <FileText aria-hidden="true" className="size-5 shrink-0 text-primary" />
      <span className="min-w-0 flex-1">
        <span className="block font-semibold wrap-anywhere">{name}</span>
        <span className="text-muted">{size === null ? state : `${state} · ${sizeText(size)}`}</span>
      </span>
    </p>
  )
}

interface PublicationFieldsProps {
  form: AnnouncementForm
  stored: ManagedAnnouncement | null
}

/** In the program's time zone. */
function PublicationFields({ form, stored }: PublicationFieldsProps) {
  const { values, change, errorOf, timeZone } = form
  const { momentOf } = useInstantTexts()
  const since =
    stored !== null && stored.publishAt !== null && stored.state !== 'scheduled' ? stored.publishAt : null
  const choices: readonly { value: Publication; label: string }[] = [
    { value: 'now', label: since === null ? 'Publish now' : `Published since ${momentOf(since)}` },
    { value: 'at', label: since === null ? 'Schedule' : 'Reschedule' },
    { value: 'draft', label: since === null ? 'Save as draft' : 'Unpublish' },
  ]
  const zone = timeZone === 'Asia/Manila' ? 'Philippine time' : `Time zone: ${timeZone.replaceAll('_', ' ')}`
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">Publication</legend>
      {choices.map(({ value, label }) => (
        <label
          key={value}
          className="flex min-h-10 items-center gap-2.5 rounded-box border border-edge px-3 py-1.5 text-sm has-checked:border-primary has-checked:bg-primary-soft"
        >
          <input
            type="radio"
            name="publication"
            value={value}
            checked={values.publication === value}
            onChange={() => change({ publication: value })}
            className="size-4.5 shrink-0 accent-primary"
          />
          {label}
        </label>
      ))}
      {values.publication === 'at' && (
        <TextField
          type="datetime-local"
          name="publishAt"
          label="Publish at"
          required
          density="compact"
          hint={zone}
          value={values.publishAt}
          error={errorOf('publishAt')}
          onChange={({ target }) => change({ publishAt: target.value })}
        />
      )}
      <TextField
        type="datetime-local"
        name="expireAt"
        label="Expires (optional)"
        density="compact"
        hint={zone}
        value={values.expireAt}
        error={errorOf('expireAt')}
        onChange={({ target }) => change({ expireAt: target.value })}
      />
    </fieldset>
  )
}

interface ContentFieldProps {
  value: string
  error: string | undefined
  onChange: (content: string) => void
}

type Preview = { html: string } | { failure: string } | 'reading'

interface Previewed {
  content: string
  preview: Preview
}

function ContentField({ value, error, onChange }: ContentFieldProps) {
  const [previewed, setPreviewed] = useState<Previewed | null>(null)
  const previewId = useId()
  // Only a response for the current text: later input makes it outdated.
  const preview = previewed?.content === value ? previewed.preview : null

  async function show() {
    setPreviewed({ content: value, preview: 'reading' })
    const rendered = await render(value)
    setPreviewed((shown) => (shown?.content === value ? { content: value, preview: rendered } : shown))
  }

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TextAreaField
        id={contentId}
        name="content"
        label="Content"
        required
        density="compact"
        rows={12}
        value={value}
        error={error}
        hint={lengthHint(value, announcementLimits.content)}
        onChange={({ target }) => {
          onChange(target.value)
          setPreviewed(null)
        }}
      />
      <div>
        <Button
          variant="outline"
          size="sm"
          aria-expanded={preview !== null}
          aria-controls={previewId}
          disabled={value.trim() === ''}
          onClick={() => (preview === null ? void show() : setPreviewed(null))}
        >
          {preview === null ? 'Preview' : 'Hide preview'}
        </Button>
      </div>
      <div id={previewId} aria-live="polite" className="empty:sr-only">
        {preview !== null && <PreviewPanel preview={preview} />}
      </div>
      <FormattingHelp />
    </div>
  )
}

function PreviewPanel({ preview }: { preview: Preview }) {
  if (preview === 'reading') return <Skeleton className="h-24" />
  if ('failure' in preview) return <ErrorBanner message={preview.failure} />
  return (
    <section aria-label="Preview" className="rounded-box border bg-bg p-4">
      <AnnouncementText html={preview.html} />
    </section>
  )
}

// Formatted by the server, so the preview equals what visitors see.
async function render(content: string): Promise<Preview> {
  try {
    const { contentHtml } = await callApi(api.announcements.preview.$post({ json: { content } }))
    return { html: contentHtml }
  } catch (error) {
    return { failure: sentenceOf(error) }
  }
}

interface MailFieldProps {
  form: AnnouncementForm
  stored: ManagedAnnouncement | null
}

const options = mailToChoices.map((value) => ({ value, label: mailToLabels[value] }))

function MailField({ form: { values, change, errorOf }, stored }: MailFieldProps) {
  const { momentOf } = useInstantTexts()
  const isConfigured = useMailConfigured()
  const mailedAt = stored?.mailedAt ?? null
  const audience = useMailAudience(mailedAt === null ? values.mailTo : 'nobody')
  const hint =
    mailedAt !== null
      ? `E-mailed on ${momentOf(mailedAt)}. Later changes are not e-mailed.`
      : isConfigured === false
        ? mailSentences.notConfigured
        : hintOf(values.mailTo, audience)
  return (
    <SelectField
      name="mailTo"
      label="Send by e-mail when published"
      density="compact"
      options={options}
      hint={hint}
      value={values.mailTo}
      error={errorOf('mailTo')}
      disabled={mailedAt !== null || isConfigured !== true}
      onChange={({ target }) =>
        change({ mailTo: mailToChoices.find((choice) => choice === target.value) ?? 'nobody' })
      }
    />
  )
}

function hintOf(choice: MailToChoice, audience: MailAudience): string {
  if (choice === 'nobody') return 'No e-mail is sent.'
  if (audience === 'reading') return 'Counting the students…'
  if (audience === 'failed')
    return 'Sent to all active students of this choice. They could not be counted just now.'
  const { count, optedOut } = audience
  const leftOut = optedOut === 0 ? '' : ` ${countOf(optedOut, 'student')} who unsubscribed are left out.`
  return `${countOf(count, 'active student')} at the moment.${leftOut}`
}

type MailAudience = { count: number; optedOut: number } | 'reading' | 'failed'

function useMailAudience(choice: MailToChoice): MailAudience {
  const [read, setRead] = useState<{ choice: MailToChoice; audience: MailAudience } | null>(null)

  useEffect(() => {
    if (choice === 'nobody') return
    const controller = new AbortController()
    callApi(
      api.mail.audience.$get({ query: { component: choice } }, { init: { signal: controller.signal } }),
    ).then(
      ({ count, optedOut }) => setRead({ choice, audience: { count, optedOut } }),
      () => {
        if (!controller.signal.aborted) setRead({ choice, audience: 'failed' })
      },
    )
    return () => controller.abort()
  }, [choice])

  return read?.choice === choice ? read.audience : 'reading'
}

/** Null while it isn't known. */
function useMailConfigured(): boolean | null {
  const [isConfigured, setConfigured] = useState<boolean | null>(null)

  useEffect(() => {
    const controller = new AbortController()
    callApi(api.mail.account.$get(undefined, { init: { signal: controller.signal } })).then(
      ({ status }) => setConfigured(status.isConfigured),
      // The server says it when the form is sent.
      () => {
        if (!controller.signal.aborted) setConfigured(true)
      },
    )
    return () => controller.abort()
  }, [])

  return isConfigured
}

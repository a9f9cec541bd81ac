import { useQuery } from '@tanstack/react-query'
import { FileText, Paperclip } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { type MailToChoice, mailToChoices } from '#shared/announcements/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import {
  announcementCategories,
  announcementLimits,
  announcementPath,
} from '#shared/announcements/announcements.ts'
import { attachmentLimit, attachmentMessages, imageLimits } from '#shared/files/images.ts'
import { instantOfLocal } from '#shared/local-time.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { CheckLine } from '#web/components/check-line.tsx'
import { isHalfTyped, SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { FileField, ImageField } from '#web/components/file-field.tsx'
import { DeletedNotice, type EditForm, Form } from '#web/components/form.tsx'
import { FormattingHelp } from '#web/components/formatting-help.tsx'
import { ModalFoot } from '#web/components/modal.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { useRecordForm } from '#web/components/record-form.ts'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, reading } from '#web/lib/api.ts'
import { useInstantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { countOf, lengthHint, sizeText } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { sendRecord, sentId } from '#web/lib/send-form.ts'
import { AnnouncementText } from './announcement-body.tsx'
import {
  type AnnouncementValues,
  attachmentOf,
  bodyOf,
  contentId,
  emptyValues,
  type Publication,
  problemsOf,
  valuesOf,
} from './announcement-values.ts'
import { managerAddress, newAnnouncement, readManaged } from './data.ts'

interface AnnouncementFormProps {
  stored: ManagedAnnouncement | null
  onClose: () => void
}

// In ms (product 18.2).
const closeMs = 2_000

export function AnnouncementForm({ stored, onClose }: AnnouncementFormProps) {
  const timeZone = useProgramTimeZone()
  const { momentOf } = useInstantTexts()
  const target = useRef(stored?.id)
  const [isNew, setNew] = useState(stored === null)
  const formerEnd = stored ? valuesOf(stored, timeZone).expireAt : ''
  const form = useRecordForm<
    ManagedAnnouncement | null,
    AnnouncementValues,
    { id: string; isPublic: boolean }
  >({
    topics: ['announcements', 'mail'],
    stored,
    what: 'announcement',
    labels,
    textOf: (name, values) =>
      textOf(name, values, (local) => momentOf(instantOfLocal(local, timeZone)?.getTime() ?? local)),
    valuesOf: (announcement) => (announcement ? valuesOf(announcement, timeZone) : emptyValues),
    read: async () => stored && (await readManaged(stored.id)),
    problemsOf: (typed) => problemsOf(typed, { timeZone, now: new Date(), formerEnd, isHalfTyped }),
    controlId: (path) => (path === 'content' ? contentId : path),
    staysOpen: ({ search }) => managerAddress.read(search).open === (stored?.id ?? newAnnouncement),
    send: (typed, { version, onProgress }) =>
      sendRecord({
        collection: '/api/announcements',
        target: target.current === undefined ? null : { id: target.current, version },
        body: bodyOf(typed),
        read(answer) {
          const id = sentId(answer)
          return id === undefined ? undefined : { id, isPublic: typed.publication === 'now' }
        },
        onProgress,
      }),
    onDone({ id, isPublic }) {
      if (!isPublic) return
      const link = { label: 'View on the site', to: announcementPath(id) }
      showToast('info', 'Visitors see it now.', { link })
    },
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
      <ModalFoot>
        <Foot form={form} isNew={isNew} onClose={onClose} />
      </ModalFoot>
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
        <div className="min-w-[min(12rem,100%)] flex-1">
          <ProgressBar label="Uploading" part={progress ?? 0} />
        </div>
      )}
      <SmallButton onClick={onClose}>Cancel</SmallButton>
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
  eventAt: 'Event date',
  place: 'Place',
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
  const { content, publishAt, expireAt, eventAt, image, attachment } = values
  const texts: Record<keyof AnnouncementValues, string> = {
    ...values,
    content: content.length > mostLetters ? `${content.slice(0, mostLetters)}…` : content,
    pinned: values.pinned ? 'Yes' : 'No',
    publication: publicationTexts[values.publication],
    publishAt: publishAt && momentOf(publishAt),
    expireAt: expireAt === '' ? 'Never' : momentOf(expireAt),
    eventAt: eventAt && momentOf(eventAt),
    mailTo: mailToLabels[values.mailTo],
    image: image instanceof File ? image.name : image && 'Saved image',
    attachment: attachment?.name ?? '',
  }
  return texts[name]
}

const mailToLabels: Record<MailToChoice, string> = {
  nobody: 'No one',
  all: 'All students',
  ROTC: 'ROTC',
  CWTS: 'CWTS',
  LTS: 'LTS',
}

interface AnnouncementFieldsProps {
  form: EditForm<AnnouncementValues>
  stored: ManagedAnnouncement | null
}

function AnnouncementFields({ form, stored }: AnnouncementFieldsProps) {
  const { values, set } = form
  return (
    <div className="grid items-start gap-x-6 gap-y-5 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <TextField
          {...form.field('title')}
          density="compact"
          label={labels.title}
          required
          autoComplete="off"
        />
        <ContentField form={form} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <SelectField
          {...form.field('category')}
          label={labels.category}
          density="compact"
          options={announcementCategories}
        />
        <ImageField
          form={form}
          label="Image"
          hint="JPEG, PNG, GIF or WEBP, up to 5 MB. Large images are resized."
          maxBytes={imageLimits.announcement}
          storedUrl={stored?.imageUrl}
        />
        {values.category === 'Event' && <EventFields form={form} />}
        <CheckLine name="pinned" checked={values.pinned} onChange={(pinned) => set('pinned', pinned)}>
          <span className="font-semibold">Pin to top</span>
        </CheckLine>
        <PublicationFields form={form} stored={stored} />
        <MailField form={form} stored={stored} />
        <AttachmentField form={form} stored={stored} />
      </div>
    </div>
  )
}

/** Each is left, replaced or removed. What was chosen is removed first, then what is in use. */
function AttachmentField({ form, stored }: AnnouncementFieldsProps) {
  const { values, set, errorOf, refuse } = form
  const { attachment } = values
  return (
    <FileField
      name="attachment"
      label="Attachment"
      hint="Any file type, smaller than 10 MB."
      error={errorOf('attachment')}
      choose={attachment ? 'Choose another file' : 'Choose a file'}
      icon={Paperclip}
      preview={attachment && <ChosenFile file={attachment} />}
      onTake={(file) => {
        if (file.size < attachmentLimit) set('attachment', file)
        else refuse('attachment', attachmentMessages.tooLarge)
      }}
      onRemove={() => set('attachment', attachment instanceof File && stored ? attachmentOf(stored) : null)}
    />
  )
}

function ChosenFile({ file }: { file: NonNullable<AnnouncementValues['attachment']> }) {
  const state = file instanceof File ? 'Chosen' : 'In use'
  return (
    <p className="flex w-full items-center gap-2 rounded-box border bg-soft px-3 py-2 text-sm">
      <FileText className="size-5 shrink-0 text-primary" />
      <span className="min-w-0 flex-1">
        <span className="block font-semibold wrap-anywhere">{file.name}</span>
        <span className="text-muted">{file.size === null ? state : `${state} · ${sizeText(file.size)}`}</span>
      </span>
    </p>
  )
}

function EventFields({ form }: Pick<AnnouncementFieldsProps, 'form'>) {
  const timeZone = useProgramTimeZone()
  const eventAt = instantOfLocal(form.values.eventAt, timeZone)
  const past = eventAt && eventAt < new Date() ? 'This date is in the past. ' : ''
  return (
    <>
      <TextField
        {...form.field('eventAt')}
        density="compact"
        type="datetime-local"
        label="Event date (optional)"
        hint={past + zoneText(timeZone)}
      />
      <TextField {...form.field('place')} density="compact" label="Place (optional)" autoComplete="off" />
    </>
  )
}

function zoneText(timeZone: string): string {
  return timeZone === 'Asia/Manila' ? 'Philippine time' : `Time zone: ${timeZone.replaceAll('_', ' ')}`
}

/** The fields for when an announcement is published. Times are in the program's time zone. */
function PublicationFields({ form, stored }: AnnouncementFieldsProps) {
  const { values, set } = form
  const { momentOf } = useInstantTexts()
  const since =
    stored !== null && stored.publishAt !== null && stored.state !== 'scheduled' ? stored.publishAt : null
  const choices: readonly { value: Publication; label: string }[] = [
    { value: 'now', label: since === null ? 'Publish now' : `Published since ${momentOf(since)}` },
    { value: 'at', label: since === null ? 'Schedule' : 'Reschedule' },
    { value: 'draft', label: since === null ? 'Save as draft' : 'Unpublish' },
  ]
  const zone = zoneText(useProgramTimeZone())
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
            onChange={() => set('publication', value)}
            className="size-4.5 shrink-0 accent-primary"
          />
          {label}
        </label>
      ))}
      {values.publication === 'at' && (
        <TextField
          {...form.field('publishAt')}
          density="compact"
          type="datetime-local"
          label="Publish at"
          required
          hint={zone}
        />
      )}
      <TextField
        {...form.field('expireAt')}
        density="compact"
        type="datetime-local"
        label="Expires (optional)"
        hint={zone}
      />
    </fieldset>
  )
}

function ContentField({ form }: Pick<AnnouncementFieldsProps, 'form'>) {
  const { content } = form.values
  const [previewed, setPreviewed] = useState<string | null>(null)
  const previewId = useId()
  const isShown = previewed === content
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TextAreaField
        {...form.field('content')}
        density="compact"
        label="Content"
        required
        rows={12}
        hint={lengthHint(content, announcementLimits.content)}
      />
      <div>
        <SmallButton
          aria-expanded={isShown}
          aria-controls={previewId}
          disabled={content.trim() === ''}
          onClick={() => setPreviewed(isShown ? null : content)}
        >
          {isShown ? 'Hide preview' : 'Preview'}
        </SmallButton>
      </div>
      <div id={previewId} aria-live="polite" className="empty:sr-only">
        {isShown && <Preview content={content} />}
      </div>
      <FormattingHelp />
    </div>
  )
}

/** Formatted by the server, so it equals what visitors see. */
function Preview({ content }: { content: string }) {
  const query = useQuery({
    queryKey: ['announcements', 'preview', content],
    queryFn: reading(api.announcements.preview.$post, { json: { content } }),
  })
  return (
    <LoadedPart query={query} what="the preview" lines={1} className="h-24">
      {({ contentHtml }) => (
        <section aria-label="Preview" className="rounded-box border bg-bg p-4">
          <AnnouncementText html={contentHtml} />
        </section>
      )}
    </LoadedPart>
  )
}

const options = optionsOf(mailToChoices, mailToLabels)

function MailField({ form: { values, set, errorOf }, stored }: AnnouncementFieldsProps) {
  const { momentOf } = useInstantTexts()
  const mailedAt = stored?.mailedAt ?? null
  const mayRead = useAccount().can('mail.account')
  const account = useQuery({
    queryKey: ['mail-account', 'configured'],
    queryFn: reading(api.mail.account.$get, undefined),
    enabled: mayRead,
  })
  // If the account can't be read, the server says what is missing when the form is sent.
  const isConfigured = account.data?.status.isConfigured ?? (account.isError || !mayRead)
  const missing = !account.isSuccess
    ? null
    : !isConfigured
      ? { hint: mailSentences.notConfigured, to: tabPath('email'), action: 'Set up the e-mail account' }
      : account.data.publicAddress === ''
        ? {
            hint: mailSentences.noPublicAddress,
            to: `${tabPath('system-settings')}#public-address`,
            action: 'Set the public address',
          }
        : null
  const audience = useAudienceText(mailedAt === null ? values.mailTo : 'nobody')
  const hint =
    mailedAt !== null
      ? `E-mailed on ${momentOf(mailedAt)}. Later changes are not e-mailed.`
      : (missing?.hint ?? audience)
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <SelectField
        name="mailTo"
        label="Send by e-mail when published"
        density="compact"
        options={options}
        hint={hint}
        value={values.mailTo}
        error={errorOf('mailTo')}
        disabled={mailedAt !== null || !isConfigured || missing !== null}
        onChange={({ target }) =>
          set('mailTo', mailToChoices.find((each) => each === target.value) ?? 'nobody')
        }
      />
      {missing && mailedAt === null && <SmallLink to={missing.to}>{missing.action}</SmallLink>}
    </div>
  )
}

function useAudienceText(choice: MailToChoice): string {
  const { data, isError } = useQuery({
    queryKey: ['students', 'mail-audience', choice],
    meta: { topics: ['mail'] },
    queryFn: ({ signal }) =>
      choice === 'nobody'
        ? null
        : callApi(
            api.mail.audience.$post(
              { json: choice === 'all' ? {} : { component: choice } },
              { init: { signal } },
            ),
          ),
  })
  if (choice === 'nobody') return 'No e-mail is sent.'
  if (!data) {
    return isError
      ? 'Sent to all active students of this choice. They could not be counted just now.'
      : 'Counting the students…'
  }
  const { count, optedOut } = data
  const leftOut = optedOut === 0 ? '' : ` ${countOf(optedOut, 'student')} who unsubscribed are left out.`
  return `${countOf(count, 'active student')} at the moment.${leftOut}`
}

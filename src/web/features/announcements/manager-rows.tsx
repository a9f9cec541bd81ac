import { Ellipsis, Eye, Image, Mail, MailWarning, Paperclip, Pin, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { type AnnouncementState, announcementPath } from '#shared/announcements/announcements.ts'
import type { AnnouncementMailing } from '#shared/mail/mail-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button, IconButton, SmallButton } from '#web/components/button.tsx'
import { ListTable } from '#web/components/data-table.tsx'
import { Menu } from '#web/components/menu.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { showUndoable } from '#web/components/undo-toast.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { useFocusBack } from '#web/lib/focus.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { useAction, useReadAgain } from '#web/lib/query.ts'
import { runAfter } from '#web/lib/timers.ts'
import { CategoryBadge } from './announcement-facts.tsx'

interface ManagerRowsProps {
  announcements: readonly ManagedAnnouncement[]
  mailings: ReadonlyMap<string, AnnouncementMailing>
  busy: boolean
  deletion: Deletion
  onEdit: (id: string) => void
}

export function ManagerRows({ announcements, mailings, busy, ...actions }: ManagerRowsProps) {
  const texts = useInstantTexts()
  return (
    <ListTable
      caption="Announcements"
      busy={busy}
      items={announcements}
      columns={[
        {
          head: 'Title',
          isRowHead: true,
          headClassName: 'w-full',
          className: 'font-normal md:min-w-60',
          cell: (announcement) => (
            <ManagedTitle announcement={announcement} texts={texts} mailing={mailings.get(announcement.id)} />
          ),
        },
        { head: 'Category', value: ({ category }) => <CategoryBadge category={category} /> },
        {
          head: 'Created',
          className: 'md:whitespace-nowrap',
          value: ({ createdAt, authorEmail }) => (
            <>
              {texts.momentOf(createdAt)}
              <Author email={authorEmail} />
            </>
          ),
        },
        {
          head: 'Last Updated',
          className: 'md:whitespace-nowrap',
          value: ({ updatedAt }) => texts.momentOf(updatedAt),
        },
        {
          head: 'Actions',
          cell: (announcement) => <RowActions announcement={announcement} {...actions} />,
        },
      ]}
    />
  )
}

function Author({ email }: { email: string }) {
  return (
    <span className="block text-xs wrap-anywhere text-muted">
      <AddressText text={email} />
    </span>
  )
}

interface ManagedTitleProps extends MailMarkProps {
  texts: InstantTexts
}

function ManagedTitle({ announcement, texts, mailing }: ManagedTitleProps) {
  const { title, state, pinned, imageUrl, attachmentName } = announcement
  const times = timesOf(announcement, texts)
  return (
    <>
      <p dir="auto" title={title} className="font-semibold wrap-anywhere md:line-clamp-2">
        {title}
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
        {pinned && <Mark Icon={Pin} label="Pinned" />}
        {imageUrl !== null && <Mark Icon={Image} label="Image" />}
        {attachmentName !== null && <Mark Icon={Paperclip} label="Attachment" />}
        {times !== null && <span>{times}</span>}
      </p>
      <MailMark announcement={announcement} mailing={mailing} />
    </>
  )
}

function Mark({ Icon, label }: { Icon: typeof Pin; label: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <Icon className="size-3.5" />
      {label}
    </span>
  )
}

function timesOf(
  { state, publishAt, expireAt, eventAt }: ManagedAnnouncement,
  { momentOf, eventOf }: InstantTexts,
) {
  const end = expireAt === null ? null : momentOf(expireAt)
  if (state === 'expired') return end && `Ended ${end}`
  const parts = [
    state === 'scheduled' && publishAt !== null ? `From ${momentOf(publishAt)}` : null,
    end && `Until ${end}`,
    eventAt === null ? null : `Event: ${eventOf(eventAt)}`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(' · ')
}

interface RowActionsProps {
  announcement: ManagedAnnouncement
  deletion: Deletion
  onEdit: (id: string) => void
}

/** Delete asks in its own place (product 18.4). */
function RowActions({ announcement, deletion, onEdit }: RowActionsProps) {
  const { id, title } = announcement
  const isConfirming = deletion.pending?.id === id
  const menu = useRef<HTMLButtonElement>(null)
  useFocusBack(isConfirming, menu)
  if (isConfirming) return <DeleteQuestion title={title} deletion={deletion} />
  return (
    <div className="flex gap-1.5">
      <SmallButton aria-label={`Edit ${title}`} onClick={() => onEdit(id)}>
        Edit
      </SmallButton>
      <Menu
        trigger={
          <IconButton ref={menu} label={`Actions for ${title}`} icon={Ellipsis} className="max-md:size-11" />
        }
        entries={[
          { label: 'View', icon: Eye, to: announcementPath(id) },
          { label: 'Delete', icon: Trash2, danger: true, onSelect: () => deletion.request(announcement) },
        ]}
      />
    </div>
  )
}

interface DeleteQuestionProps {
  title: string
  deletion: Deletion
}

function DeleteQuestion({ title, deletion: { isBusy, confirm, cancel } }: DeleteQuestionProps) {
  const no = useRef<HTMLButtonElement>(null)
  useEffect(() => no.current?.focus(), [])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this holds a question together
    <div
      role="group"
      aria-label={`Delete “${title}”?`}
      className="flex items-center gap-1.5"
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel()
      }}
    >
      <span className="mr-1 text-sm leading-tight font-semibold whitespace-nowrap max-md:hidden">
        Delete this?
      </span>
      {/* On a phone the row's title may be above the screen. */}
      <span className="mr-1 text-sm leading-tight font-semibold wrap-anywhere md:hidden">
        Delete “{title}”?
      </span>
      <Button size="sm" variant="danger" aria-disabled={isBusy} onClick={confirm}>
        {isBusy ? 'Deleting…' : 'Yes'}
      </Button>
      <SmallButton ref={no} disabled={isBusy} onClick={cancel}>
        No
      </SmallButton>
    </div>
  )
}

interface MailMarkProps {
  announcement: ManagedAnnouncement
  mailing: AnnouncementMailing | undefined
}

function MailMark({ announcement, mailing }: MailMarkProps) {
  const { mailTo, mailedAt, mailProblem, state } = announcement
  const [wasRequested, setRequested] = useState(false)
  if (mailTo === null) return null
  const whom = mailTo === '' ? 'all students' : mailTo
  if (mailedAt !== null) return <Mailed whom={whom} mailing={mailing} takesFocus={wasRequested} />
  if (mailProblem !== '') {
    return (
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-danger">
        <span className="wrap-anywhere">
          <MailWarning className="mr-1 inline size-3.5" />
          Not e-mailed to {whom}: {mailProblem}
        </span>
        {state === 'published' && (
          <MailNow announcement={announcement} onRequest={() => setRequested(true)} />
        )}
      </p>
    )
  }
  const text =
    state === 'expired' ? `Not e-mailed to ${whom}: it has expired.` : `To ${whom} by e-mail when published`
  return (
    <p className="mt-1 inline-flex items-center gap-1 text-xs text-muted">
      <Mail className="size-3.5 shrink-0" />
      {text}
    </p>
  )
}

interface MailedProps {
  whom: string
  mailing: AnnouncementMailing | undefined
  /** The pressed button had the focus and is gone. */
  takesFocus: boolean
}

function Mailed({ whom, mailing, takesFocus }: MailedProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const isKnown = mailing !== undefined
  useEffect(() => {
    if (takesFocus && isKnown && document.activeElement === document.body) link.current?.focus()
  }, [takesFocus, isKnown])
  if (!mailing) return <p className="mt-1 text-xs text-muted">E-mailed to {whom}</p>
  const { batchId, sentCount, recipientCount } = mailing
  return (
    <p className="mt-1 text-xs">
      <Link
        ref={link}
        to={tabPath('email', { pane: 'bulk', batch: batchId })}
        className="inline-flex items-center gap-1 py-1 text-primary underline underline-offset-4 tabular-nums max-md:min-h-11"
      >
        <Mail className="size-3.5 shrink-0" />
        E-mailed to {whom}, {figureText(sentCount)} of {figureText(recipientCount)}
      </Link>
    </p>
  )
}

interface MailNowProps {
  announcement: ManagedAnnouncement
  onRequest: () => void
}

function MailNow({ announcement: { id, title }, onRequest }: MailNowProps) {
  const { isPending, run } = useActionWithToast({
    topics: ['announcements', 'mail'],
    mutationFn: () => callApi(api.announcements[':id'].mail.$post({ param: { id } })),
    whatFailed: 'It was not e-mailed',
  })
  return (
    <SmallButton
      aria-label={`E-mail now: ${title}`}
      aria-disabled={isPending}
      onClick={() => {
        onRequest()
        run()
      }}
    >
      E-mail now
    </SmallButton>
  )
}

export const stateLabels: Record<AnnouncementState, string> = {
  published: 'Published',
  scheduled: 'Scheduled',
  draft: 'Draft',
  expired: 'Expired',
}

const stateTones: Record<AnnouncementState, BadgeTone> = {
  published: 'success',
  scheduled: 'info',
  draft: 'neutral',
  expired: 'warning',
}

// In ms (product 18.4).
const clearMs = 3_000

const undoMs = 10_000

type PendingDeletion = Pick<ManagedAnnouncement, 'id' | 'version' | 'title'>

type Deletion = ReturnType<typeof useDeletion>

/** @param onDeleted called before the list is read again */
export function useDeletion(onDeleted: () => void) {
  const [pending, setPending] = useState<PendingDeletion | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const readAgain = useReadAgain('announcements', 'mail')
  const { isPending, error, run, reset } = useAction({
    topics: ['announcements', 'mail'],
    mutationFn: ({ id, version }: PendingDeletion) =>
      callApi(api.announcements[':id'].$delete({ param: { id }, header: ifMatch(version) })),
    onSuccess(_none, { id, title }) {
      const restore = async () => {
        await callApi(api.announcements[':id'].restore.$post({ param: { id } }))
        setPending((now) => (now?.id === id ? null : now))
        showToast('success', 'Announcement restored successfully')
        void readAgain()
      }
      showUndoable({
        message: `“${title}” was deleted.`,
        whatFailed: 'Failed to restore the announcement',
        undo: restore,
        shownMs: undoMs,
      })
      // The question stays until its row goes: nothing of the row takes the focus in between.
      setMessage('Announcement deleted successfully')
      onDeleted()
    },
    onError: () => setPending(null),
  })

  useEffect(() => (message === null ? undefined : runAfter(clearMs, () => setMessage(null))), [message])

  return {
    pending,
    isBusy: isPending,
    message,
    failure: error && `Error: ${sentenceOf(error)}`,
    request: ({ id, version, title }: PendingDeletion) => setPending({ id, version, title }),
    cancel: () => setPending(null),
    dismissFailure: reset,
    confirm: () => pending && run(pending),
  }
}

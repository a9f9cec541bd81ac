import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useRef } from 'react'
import { mailKindTexts, mailStateTexts } from '#shared/mail/mail.ts'
import type { MailItem } from '#shared/mail/mail-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { type Column, ListTable } from '#web/components/data-table.tsx'
import { Modal, useLastShown } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { api, callApi, reading } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { MessageView } from './message-view.tsx'
import { canSendAgain, mailTones, messageNote, unknownExplanation } from './outbox-data.ts'

interface MailMessagesProps {
  caption: string
  items: readonly MailItem[]
  busy: boolean
  isOneBatch?: boolean
  /** The ID of the opened message; '' for none. */
  opened: string
  onOpen: (id: string) => void
}

export function MailMessages(props: MailMessagesProps) {
  const { caption, items, busy, isOneBatch = false, opened, onOpen } = props
  const place = useRef<HTMLDivElement>(null)
  const decision = useActionWithToast({
    topics: ['mail'],
    mutationFn: ({ item, as }: Decision) =>
      as === 'queued'
        ? callApi(api.mail.messages[':id']['send-again'].$post({ param: { id: item.id } }))
        : callApi(api.mail.messages[':id'].settle.$post({ param: { id: item.id }, json: { as } })),
    done: (_, { item, as }) => decisions[as](item),
    onDone() {
      // A resolved message may leave the list, with its focused button.
      if (opened === '') place.current?.focus({ preventScroll: true })
      else onOpen('')
    },
    saysFailure: true,
  })
  const texts = useInstantTexts()
  const actions = { isBusy: decision.isPending, decide: decision.run }
  const columns: Column<MailItem>[] = [
    {
      head: isOneBatch ? 'Recipient' : 'Recipient and subject',
      headClassName: 'w-1/2',
      className: 'min-w-56',
      cell: ({ id, recipient, name, subject }) => (
        <>
          <button
            type="button"
            aria-label={`Open the e-mail to ${recipient}: ${subject}`}
            className="min-h-6 text-left font-semibold wrap-anywhere text-primary underline underline-offset-4 max-md:min-h-11"
            onClick={() => onOpen(id)}
          >
            <AddressText text={recipient} />
          </button>
          {name !== '' && <p className="wrap-anywhere">{name}</p>}
          {!isOneBatch && <p className="line-clamp-2 wrap-anywhere text-muted">{subject}</p>}
        </>
      ),
    },
    ...(isOneBatch ? [] : [kindColumn]),
    {
      head: 'State',
      headClassName: 'w-1/2',
      className: 'min-w-56',
      cell(item) {
        const note = messageNote(item, texts)
        return (
          <>
            <Badge tone={mailTones[item.state]}>{mailStateTexts[item.state]}</Badge>
            {note !== '' && <p className="mt-1 wrap-anywhere text-muted">{note}</p>}
            <MessageActionButtons item={item} actions={actions} className="mt-2" />
          </>
        )
      },
    },
    {
      head: 'When',
      className: 'whitespace-nowrap',
      cell({ createdAt, endedAt }) {
        const when = endedAt ?? createdAt
        return <time dateTime={when}>{texts.momentOf(when)}</time>
      },
    },
  ]
  return (
    <div ref={place} tabIndex={-1} className="outline-hidden">
      <ListTable caption={caption} busy={busy} items={items} columns={columns} />
      <MessageModal
        id={opened}
        listed={items.find(({ id }) => id === opened)}
        actions={actions}
        onClose={() => onOpen('')}
      />
    </div>
  )
}

const kindColumn: Column<MailItem> = {
  head: 'Kind',
  className: 'whitespace-nowrap',
  cell: ({ kind }) => mailKindTexts[kind],
}

const decisions = {
  queued: ({ recipient }: MailItem) => `The e-mail to ${recipient} will be sent again.`,
  sent: () => 'Marked as sent.',
  failed: () => 'Marked as failed.',
}

interface Decision {
  item: MailItem
  /** The new state. */
  as: keyof typeof decisions
}

interface MessageActions {
  isBusy: boolean
  decide: (decision: Decision) => void
}

interface MessageModalProps {
  id: string
  listed: MailItem | undefined
  actions: MessageActions
  onClose: () => void
}

function MessageModal({ id, listed, actions, onClose }: MessageModalProps) {
  const lastId = useLastShown(id === '' ? null : id).last ?? ''
  const query = useQuery({
    queryKey: ['mail', 'message', lastId],
    enabled: id !== '',
    queryFn: reading(api.mail.messages[':id'].$get, { param: { id: lastId } }),
  })
  const item = listed ?? query.data
  return (
    <Modal
      open={id !== ''}
      onClose={onClose}
      title="E-mail"
      size="lg"
      footer={
        <div className="contents">{item && <MessageActionButtons item={item} actions={actions} />}</div>
      }
    >
      <div className="@container flex flex-col gap-5">
        {item && <Facts item={item} />}
        <LoadedPart query={query} what="the e-mail" lines={2} className="h-24">
          {(details) => <MessageView {...details} />}
        </LoadedPart>
      </div>
    </Modal>
  )
}

function Facts({ item }: { item: MailItem }) {
  const texts = useInstantTexts()
  const note = messageNote(item, texts)
  const facts = [
    { label: 'To', value: item.name === '' ? item.recipient : `${item.name} · ${item.recipient}` },
    { label: 'Kind', value: mailKindTexts[item.kind] },
    { label: 'Created', value: texts.momentOf(item.createdAt) },
    ...(item.endedAt ? [{ label: 'Ended', value: texts.momentOf(item.endedAt) }] : []),
    ...(item.attempts > 0 ? [{ label: 'Attempts', value: String(item.attempts) }] : []),
    ...(note === '' ? [] : [{ label: item.state === 'queued' ? 'Note' : 'Reason', value: note }]),
  ]
  return (
    <>
      <dl className="grid gap-x-4 gap-y-1 text-sm @min-[14rem]:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-muted">State</dt>
        <dd>
          <Badge tone={mailTones[item.state]}>{mailStateTexts[item.state]}</Badge>
        </dd>
        {facts.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere">
              <AddressText text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {item.state === 'unknown' && (
        <p className="rounded-box bg-warning-soft px-4 py-3 text-sm text-warning">{unknownExplanation}</p>
      )}
    </>
  )
}

interface MessageActionsProps {
  item: MailItem
  actions: MessageActions
  className?: string
}

function MessageActionButtons({ item, actions: { isBusy, decide }, className }: MessageActionsProps) {
  if (!canSendAgain(item)) return null
  const choices = [
    ...(item.kind === 'code' ? [] : ([{ as: 'queued', label: 'Send again' }] as const)),
    ...(item.state === 'unknown'
      ? ([
          { as: 'sent', label: 'Mark as sent' },
          { as: 'failed', label: 'Mark as failed' },
        ] as const)
      : []),
  ] as const
  return (
    <div className={clsx('flex flex-wrap gap-1.5', className)}>
      {choices.map(({ as, label }) => (
        <SmallButton key={as} disabled={isBusy} onClick={() => decide({ item, as })}>
          <span>
            {label}
            <span className="sr-only"> (e-mail to {item.recipient})</span>
          </span>
        </SmallButton>
      ))}
    </div>
  )
}

import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { mailKindTexts, mailStateTexts } from '#shared/mail/mail.ts'
import type { MailDetails, MailItem } from '#shared/mail/mail-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { useNarrowScreen } from '#web/lib/media-query.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { MessageView } from './message-view.tsx'
import { canSendAgain, mailTones, messageNote, momentOfMessage, unknownExplanation } from './outbox-data.ts'

export interface MailMessagesProps {
  caption: string
  items: readonly MailItem[]
  busy: boolean
  isOneBatch?: boolean
  opened: string | null
  onOpen: (id: string) => void
  onClose: () => void
}

export function MailMessages({ opened, onOpen, onClose, isOneBatch = false, ...list }: MailMessagesProps) {
  const isNarrow = useNarrowScreen()
  const texts = useInstantTexts()
  const place = useRef<HTMLDivElement>(null)
  // A resolved message may leave the list, with its focused button.
  const actions = useMessageActions(() => {
    if (opened === null) place.current?.focus({ preventScroll: true })
    else onClose()
  })
  const Rows = isNarrow ? MessageCards : MessageTable
  return (
    <div ref={place} tabIndex={-1} className="outline-hidden">
      <Rows {...list} isOneBatch={isOneBatch} texts={texts} actions={actions} onOpen={onOpen} />
      <MessageModal
        id={opened}
        listed={list.items.find(({ id }) => id === opened)}
        actions={actions}
        onClose={onClose}
      />
    </div>
  )
}

function MessageCards({ caption, items, busy, isOneBatch, texts, actions, onOpen }: MessageRowsProps) {
  return (
    <ul aria-label={caption} aria-busy={busy} className="flex flex-col gap-2">
      {items.map((item) => {
        const note = messageNote(item, texts)
        const when = momentOfMessage(item)
        return (
          <li key={item.id} className="flex flex-col gap-1 rounded-box border bg-card p-3 shadow-card">
            <MessageLink item={item} onOpen={onOpen} />
            {item.name !== '' && <p className="text-sm wrap-anywhere">{item.name}</p>}
            {!isOneBatch && <p className="line-clamp-2 text-sm wrap-anywhere">{item.subject}</p>}
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
              <Badge tone={mailTones[item.state]}>{mailStateTexts[item.state]}</Badge>
              {!isOneBatch && <span>{mailKindTexts[item.kind]}</span>}
              <time dateTime={when}>{texts.momentOf(when)}</time>
            </p>
            {note !== '' && <p className="text-sm wrap-anywhere text-muted">{note}</p>}
            <MessageActionButtons item={item} actions={actions} className="mt-2" />
          </li>
        )
      })}
    </ul>
  )
}

function MessageTable({ caption, items, busy, ...row }: MessageRowsProps) {
  return (
    <DataTable caption={caption} busy={busy}>
      <thead>
        <tr>
          <HeadCell className="w-1/2">{row.isOneBatch ? 'Recipient' : 'Recipient and subject'}</HeadCell>
          {!row.isOneBatch && <HeadCell>Kind</HeadCell>}
          <HeadCell className="w-1/2">State</HeadCell>
          <HeadCell>When</HeadCell>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <MessageRow key={item.id} item={item} {...row} />
        ))}
      </tbody>
    </DataTable>
  )
}

function MessageRow({
  item,
  isOneBatch,
  texts,
  actions,
  onOpen,
}: Omit<MessageRowsProps, 'caption' | 'items' | 'busy'> & { item: MailItem }) {
  const note = messageNote(item, texts)
  const when = momentOfMessage(item)
  return (
    <tr className="bg-card hover:bg-soft">
      <Cell className="min-w-56 align-top!">
        <MessageLink item={item} onOpen={onOpen} />
        {item.name !== '' && <p className="wrap-anywhere">{item.name}</p>}
        {!isOneBatch && <p className="line-clamp-2 wrap-anywhere text-muted">{item.subject}</p>}
      </Cell>
      {!isOneBatch && <Cell className="align-top! whitespace-nowrap">{mailKindTexts[item.kind]}</Cell>}
      <Cell className="min-w-56 align-top!">
        <Badge tone={mailTones[item.state]}>{mailStateTexts[item.state]}</Badge>
        {note !== '' && <p className="mt-1 wrap-anywhere text-muted">{note}</p>}
        <MessageActionButtons item={item} actions={actions} className="mt-2" />
      </Cell>
      <Cell className="align-top! whitespace-nowrap">
        <time dateTime={when}>{texts.momentOf(when)}</time>
      </Cell>
    </tr>
  )
}

interface MessageRowsProps {
  caption: string
  items: readonly MailItem[]
  busy: boolean
  isOneBatch: boolean
  texts: InstantTexts
  actions: MessageActions
  onOpen: (id: string) => void
}

interface MessageLinkProps {
  item: MailItem
  onOpen: (id: string) => void
}

function MessageLink({ item: { id, recipient, subject }, onOpen }: MessageLinkProps) {
  return (
    <button
      type="button"
      id={`message-${id}`}
      aria-label={`Open the e-mail to ${recipient}: ${subject}`}
      className="min-h-6 text-left font-semibold wrap-anywhere text-primary underline underline-offset-4 max-md:min-h-11 max-md:text-sm"
      onClick={() => onOpen(id)}
    >
      <AddressText text={recipient} />
    </button>
  )
}

interface MessageModalProps {
  id: string | null
  listed: MailItem | undefined
  actions: MessageActions
  onClose: () => void
}

function MessageModal({ id, listed, actions, onClose }: MessageModalProps) {
  const { details, failure, retry } = useDetails(id, listed)
  const item = listed ?? details
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title="E-mail"
      size="lg"
      footer={
        <div className="contents">{item && <MessageActionButtons item={item} actions={actions} />}</div>
      }
    >
      <div className="flex flex-col gap-5">
        {failure !== null && <ErrorBanner message={failure} onRetry={retry} />}
        {item && <Facts item={item} />}
        {details ? (
          <MessageView subject={details.subject} html={details.html} text={details.text} />
        ) : (
          failure === null && (
            <div role="status" className="flex flex-col gap-3">
              <span className="sr-only">Loading the e-mail</span>
              <Skeleton className="h-9" />
              <Skeleton className="h-48" />
            </div>
          )
        )}
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
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
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

interface LoadedMessage {
  id: string
  details: MailDetails | null
  failure: string | null
}

/**
 * Reloads when the state changes. While the modal fades out, the last message is still shown.
 */
function useDetails(id: string | null, listed: MailItem | undefined) {
  const [loaded, setLoaded] = useState<LoadedMessage | null>(null)
  const [tries, setTries] = useState(0)
  const state = listed?.state

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try and each new state reads again
  useEffect(() => {
    if (id === null) return
    const controller = new AbortController()
    setLoaded((last) => (last?.id === id ? last : { id, details: null, failure: null }))
    callApi(api.mail.messages[':id'].$get({ param: { id } }, { init: { signal: controller.signal } })).then(
      (details) => setLoaded({ id, details, failure: null }),
      (error: unknown) => {
        if (controller.signal.aborted) return
        setLoaded((last) => ({ id, details: last?.details ?? null, failure: sentenceOf(error) }))
      },
    )
    return () => controller.abort()
  }, [id, state, tries])

  const shown = id === null || loaded?.id === id ? loaded : null
  return {
    details: shown?.details ?? null,
    failure: shown?.failure ?? null,
    retry: () => setTries((count) => count + 1),
  }
}

interface MessageActionsProps {
  item: MailItem
  actions: MessageActions
  className?: string
}

function MessageActionButtons({ item, actions, className }: MessageActionsProps) {
  if (!canSendAgain(item)) return null
  const isBusy = actions.busyId !== null
  const about = <span className="sr-only"> (e-mail to {item.recipient})</span>
  return (
    <div className={clsx('flex flex-wrap gap-1.5 max-md:[&_button]:min-h-11', className)}>
      <Button variant="outline" size="sm" disabled={isBusy} onClick={() => void actions.sendAgain(item)}>
        <span>Send again{about}</span>
      </Button>
      {item.state === 'unknown' && (
        <>
          <Button variant="outline" size="sm" disabled={isBusy} onClick={() => void actions.arrived(item)}>
            <span>Mark as sent{about}</span>
          </Button>
          <Button
            variant="outline"
            size="sm"
            disabled={isBusy}
            onClick={() => void actions.didNotArrive(item)}
          >
            <span>Mark as failed{about}</span>
          </Button>
        </>
      )}
    </div>
  )
}

interface MessageActions {
  busyId: string | null
  sendAgain: (item: MailItem) => Promise<void>
  arrived: (item: MailItem) => Promise<void>
  didNotArrive: (item: MailItem) => Promise<void>
}

/** @param onDone called after a decision, before the list is read again */
function useMessageActions(onDone: () => void): MessageActions {
  const readAgain = useReadAgain()
  const [busyId, setBusyId] = useState<string | null>(null)
  // State changes with the next render; a second click can come before it.
  const isActing = useRef(false)

  async function act({ id }: MailItem, message: string, action: () => Promise<unknown>) {
    if (isActing.current) return
    isActing.current = true
    setBusyId(id)
    try {
      await action()
      showToast({ type: 'success', message })
      onDone()
    } catch (error) {
      showToast({ type: 'error', message: sentenceOf(error) })
    } finally {
      isActing.current = false
      setBusyId(null)
      // Also after a failure: the reason may be that another user decided.
      readAgain()
    }
  }

  const settle = (item: MailItem, as: 'sent' | 'failed', message: string) =>
    act(item, message, () =>
      callApi(api.mail.messages[':id'].settle.$post({ param: { id: item.id }, json: { as } })),
    )

  return {
    busyId,
    sendAgain: (item) =>
      act(item, `The e-mail to ${item.recipient} will be sent again.`, () =>
        callApi(api.mail.messages[':id']['send-again'].$post({ param: { id: item.id } })),
      ),
    arrived: (item) => settle(item, 'sent', 'Marked as sent.'),
    didNotArrive: (item) => settle(item, 'failed', 'Marked as failed.'),
  }
}

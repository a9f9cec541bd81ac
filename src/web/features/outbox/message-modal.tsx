import { useEffect, useState } from 'react'
import { type MailItem, mailKindTexts, mailStateTexts } from '#shared/mail.ts'
import type { MailDetails } from '#shared/mail-history.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge } from '#web/components/badge.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { MessageView } from '#web/components/message-view.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { mailTones } from '#web/lib/mail-tones.ts'
import { MessageActions } from './message-actions.tsx'
import { messageNote, unknownExplanation } from './message-texts.ts'
import type { MessageActions as Actions } from './use-message-actions.ts'

interface MessageModalProps {
  /** Null for none. */
  id: string | null
  /** How it stands in the list, which is newer than what was read when it was opened. */
  listed: MailItem | undefined
  actions: Actions
  onClose: () => void
}

/** A message as its recipient reads it, how it stands, and what can be decided about it. */
export function MessageModal({ id, listed, actions, onClose }: MessageModalProps) {
  const { details, failure, retry } = useDetails(id, listed)
  const item = listed ?? details
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title="E-mail"
      size="lg"
      footer={<div className="contents">{item && <MessageActions item={item} actions={actions} />}</div>}
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
    { label: 'Written', value: texts.momentOf(item.createdAt) },
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

interface Reading {
  id: string
  details: MailDetails | null
  failure: string | null
}

/** Reads an opened message, and again when its state has changed. While the modal fades out it shows what it showed. */
function useDetails(id: string | null, listed: MailItem | undefined) {
  const [reading, setReading] = useState<Reading | null>(null)
  const [tries, setTries] = useState(0)
  const state = listed?.state

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try and each new state reads again
  useEffect(() => {
    if (id === null) return
    const turn = new AbortController()
    setReading((last) => (last?.id === id ? last : { id, details: null, failure: null }))
    callApi(api.mail.messages[':id'].$get({ param: { id } }, { init: { signal: turn.signal } })).then(
      (details) => setReading({ id, details, failure: null }),
      (error: unknown) => {
        if (turn.signal.aborted) return
        setReading((last) => ({ id, details: last?.details ?? null, failure: sentenceOf(error) }))
      },
    )
    return () => turn.abort()
  }, [id, state, tries])

  const shown = id === null || reading?.id === id ? reading : null
  return {
    details: shown?.details ?? null,
    failure: shown?.failure ?? null,
    retry: () => setTries((count) => count + 1),
  }
}

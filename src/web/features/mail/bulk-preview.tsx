import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { placeholderNames, unknownPlaceholders } from '#shared/mail/mail-placeholders.ts'
import type { MailPreviewRequest } from '#shared/mail/mail-preview.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { IconButton, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, reading } from '#web/lib/api.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { newKey } from '#web/lib/older-browsers.ts'
import { failureOf, useAction } from '#web/lib/query.ts'
import { runAfter } from '#web/lib/timers.ts'
import { type BulkValues, ownText, textOf } from './bulk-data.ts'
import { MessageView, singleMailFailure, useMailPreview } from './message-view.tsx'
import type { Sample } from './recipient-fields.tsx'

interface MessagePreviewProps {
  values: BulkValues
  sample: readonly Sample[]
  isActive: boolean
}

export function MessagePreview({ values, sample, isActive }: MessagePreviewProps) {
  const [selected, setSelected] = useState(0)
  // A changed list can be shorter.
  const index = Math.min(selected, Math.max(0, sample.length - 1))
  const stored = useStoredRecipient(sample[index], isActive && values.way !== 'students')
  const { recipient } = stored
  const missing = missingForPreview(values)
  const isReady = isActive && missing === null
  const { preview, failure, retry } = useMailPreview(isReady ? previewRequest(values, recipient) : null)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {sample.length > 0 && recipient && (
        <div className="flex items-center gap-1 rounded-box bg-soft py-1 pr-1 pl-4">
          <p aria-live="polite" className="min-w-0 flex-1 py-1 text-sm">
            <span className="block text-muted tabular-nums">
              Preview for recipient {figureText(index + 1)} of {figureText(sample.length)}
            </span>
            <span className="font-semibold wrap-anywhere">
              <AddressText text={nameOf(recipient)} />
            </span>
          </p>
          <IconButton
            label="Previous recipient"
            size="md"
            disabled={index === 0}
            onClick={() => setSelected(index - 1)}
            icon={ChevronLeft}
          />
          <IconButton
            label="Next recipient"
            size="md"
            disabled={index >= sample.length - 1}
            onClick={() => setSelected(index + 1)}
            icon={ChevronRight}
          />
        </div>
      )}
      {stored.failure !== null && <ErrorBanner message={stored.failure} onRetry={stored.retry} />}
      {failure !== null && <ErrorBanner message={failure} onRetry={retry} />}
      {missing !== null ? (
        <p className="rounded-box border border-dashed border-edge px-4 py-10 text-center text-sm text-muted">
          {missing}
        </p>
      ) : preview ? (
        <MessageView {...preview} />
      ) : (
        isActive && failure === null && <Loading what="the preview" lines={2} className="h-32" />
      )}
      <TestSend
        values={values}
        recipient={recipient}
        isReady={isReady && !stored.isReading && stored.failure === null}
      />
    </div>
  )
}

function nameOf({ firstName, lastName, email }: Sample): string {
  const name = [firstName, lastName].filter((part) => part).join(' ')
  return name === '' ? email : `${name} · ${email}`
}

type Written = Pick<BulkValues, 'subject' | 'template' | 'body'>

export function previewRequest(
  { subject, template, body }: Written,
  recipient: Sample | undefined,
): MailPreviewRequest {
  const isOwn = template === ownText
  return {
    subject,
    message: isOwn ? body : '',
    // Bulk e-mails from this screen are sent as text.
    ...(isOwn ? { format: 'text' } : { template }),
    values: placeholderValuesOf(recipient),
  }
}

export function missingForPreview({ subject, template, body }: Written): string | null {
  const own = template === ownText ? body : null
  if (subject.trim() === '' || own?.trim() === '') return 'Enter a subject and a message to see the preview.'
  return unknownPlaceholders(`${subject}\n${own ?? ''}`).length > 0
    ? 'Correct the marked placeholder to see the preview.'
    : null
}

interface TestSendProps {
  values: BulkValues
  recipient: Sample | undefined
  isReady: boolean
}

function TestSend({ values, recipient, isReady }: TestSendProps) {
  const { isPending, run } = useAction({
    topics: ['mail'],
    mutationFn: () =>
      callApi(
        api.mail.test.bulk.$post({
          json: { ...textOf(values), values: placeholderValuesOf(recipient) },
          header: { 'idempotency-key': newKey() },
        }),
      ),
    onSuccess: ({ success, message }) => showToast(success ? 'success' : 'info', message),
    onError: (error) => showToast('error', singleMailFailure(error)),
  })
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <SmallButton aria-disabled={isPending || !isReady} onClick={() => isReady && run()}>
        {isPending ? 'Sending…' : 'Send a test to yourself'}
      </SmallButton>
      <Hint>Sent to the sender address.</Hint>
    </div>
  )
}

function placeholderValuesOf(recipient: Sample | undefined): Record<string, string> {
  return Object.fromEntries(
    placeholderNames.flatMap((name) => (recipient?.[name] ? [[name, recipient[name]]] : [])),
  )
}

// The pause in ms is shorter than the preview's debounce, so that usually one preview is rendered, with the record.
const pauseMs = 150

/**
 * Reads the recipient's record, as the server does for the mail itself. @param isListed of a typed
 * list; a student of the filters has all values already
 */
function useStoredRecipient(sample: Sample | undefined, isListed: boolean) {
  const wanted = isListed ? sample?.email : undefined
  const email = useSettled(wanted, pauseMs)
  const query = useQuery({
    queryKey: ['students', 'mail-recipient', email],
    enabled: email !== undefined,
    queryFn: reading(api.mail.recipients.record.$post, { json: { email: email ?? '' } }),
  })
  const isRead = wanted === email
  return {
    // Values of the list override those of the record.
    recipient: sample && { ...(isRead && query.data?.values), ...sample },
    isReading: wanted !== undefined && (!isRead || query.isPending),
    failure: isRead ? failureOf(query) : null,
    retry: () => void query.refetch(),
  }
}

/** The value once it has stayed the same for `ms`. */
function useSettled<T extends string | undefined>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => runAfter(ms, () => setSettled(value)), [value, ms])
  return settled
}

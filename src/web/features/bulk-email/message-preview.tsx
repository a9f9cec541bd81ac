import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { AddressText } from '#web/components/address-text.tsx'
import { IconButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { MessageView } from '#web/components/message-view.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { figureText } from '#web/lib/count-text.ts'
import { useMailPreview } from '#web/lib/mail-preview.ts'
import type { Sample } from './addressees.ts'
import type { BulkValues } from './bulk-values.ts'
import { missingForPreview, previewRequest } from './preview-request.ts'
import { TestSend } from './test-send.tsx'
import { useKnownRecipient } from './use-known-recipient.ts'

interface MessagePreviewProps {
  values: BulkValues
  /** Whom it can be shown for. */
  sample: readonly Sample[]
  /** Whether anything can be sent at all. */
  isActive: boolean
}

/** The mail as one of its recipients will read it, and a test of it to oneself. */
export function MessagePreview({ values, sample, isActive }: MessagePreviewProps) {
  const [wanted, setWanted] = useState(0)
  // Another list may be shorter.
  const index = Math.min(wanted, Math.max(0, sample.length - 1))
  const known = useKnownRecipient(sample[index], isActive && values.way !== 'students')
  const { recipient } = known
  const missing = missingForPreview(values)
  const isReady = isActive && missing === null
  const { preview, failure, retry } = useMailPreview(isReady ? previewRequest(values, recipient) : null)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {sample.length > 0 && recipient && (
        <div className="flex items-center gap-1 rounded-box bg-soft py-1 pr-1 pl-4">
          <p aria-live="polite" className="min-w-0 flex-1 py-1 text-sm">
            <span className="block text-muted tabular-nums">
              As recipient {figureText(index + 1)} of {figureText(sample.length)}
              {values.way === 'students' && ' examples'} reads it
            </span>
            <span className="font-semibold wrap-anywhere">
              <AddressText text={nameOf(recipient)} />
            </span>
          </p>
          <IconButton
            label="Previous recipient"
            size="md"
            disabled={index === 0}
            onClick={() => setWanted(index - 1)}
          >
            <ChevronLeft aria-hidden="true" className="size-5" />
          </IconButton>
          <IconButton
            label="Next recipient"
            size="md"
            disabled={index >= sample.length - 1}
            onClick={() => setWanted(index + 1)}
          >
            <ChevronRight aria-hidden="true" className="size-5" />
          </IconButton>
        </div>
      )}
      {known.failure !== null && <ErrorBanner message={known.failure} onRetry={known.retry} />}
      {failure !== null && <ErrorBanner message={failure} onRetry={retry} />}
      {missing !== null ? (
        <p className="rounded-box border border-dashed border-edge px-4 py-10 text-center text-sm text-muted">
          {missing}
        </p>
      ) : preview ? (
        <MessageView subject={preview.subject} html={preview.html} text={preview.text} />
      ) : (
        isActive &&
        failure === null && (
          <div role="status" className="flex flex-col gap-3">
            <span className="sr-only">Loading the preview</span>
            <Skeleton className="h-9" />
            <Skeleton className="h-64" />
          </div>
        )
      )}
      <TestSend
        values={values}
        recipient={recipient}
        isReady={isReady && !known.isReading && known.failure === null}
      />
    </div>
  )
}

function nameOf({ firstName, lastName, email }: Sample): string {
  const name = [firstName, lastName].filter((part) => part).join(' ')
  return name === '' ? email : `${name} · ${email}`
}

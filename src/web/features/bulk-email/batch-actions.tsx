import { Download, Pause, Play, RotateCcw, X } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { BatchSummary, MailQueueStatus } from '#shared/mail.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { figureText } from '#web/lib/count-text.ts'
import { type BulkAddress, bulkPath } from './bulk-address.ts'
import { CancelModal } from './cancel-modal.tsx'
import { ConfirmModal } from './confirm-modal.tsx'
import { useBatchActions } from './use-batch-actions.ts'

interface BatchActionsProps {
  batch: BatchSummary
  /** How far the outgoing mail is; null while nobody tells. */
  queue: MailQueueStatus | null
  /** Which results are shown: the file holds the same. */
  filters: Pick<BulkAddress, 'state' | 'search'>
  /** What gets the focus when the button that had it goes. */
  titleRef: RefObject<HTMLElement | null>
}

/** Pause, resume, cancel; the results as a file; and the failed ones again. */
export function BatchActions({ batch, queue, filters, titleRef }: BatchActionsProps) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'cancel' | 'repeat' | null>(null)
  const repeatButton = useRef<HTMLButtonElement>(null)
  const { isBusy, failure, dismissFailure, ...actions } = useBatchActions(batch)
  const { repeatableCount } = batch

  async function sendAgain() {
    const id = await actions.sendAgain()
    setAsking(null)
    if (id !== undefined) void navigate(bulkPath({ batch: id }))
  }

  return (
    <>
      {failure !== null && <ErrorBanner message={failure} onDismiss={dismissFailure} />}
      <div className="flex flex-wrap gap-2 max-md:[&_button]:min-h-11">
        {(batch.state === 'running' || batch.state === 'paused') && (
          <>
            {batch.state === 'paused' ? (
              // One button with two faces: the focus stays on it.
              <Button
                key="turn"
                size="sm"
                icon={<Play aria-hidden="true" className="size-4" />}
                aria-disabled={isBusy}
                onClick={() => void actions.resume()}
              >
                Resume
              </Button>
            ) : (
              <Button
                key="turn"
                variant="outline"
                size="sm"
                icon={<Pause aria-hidden="true" className="size-4" />}
                aria-disabled={isBusy}
                onClick={() => void actions.pause()}
              >
                Pause
              </Button>
            )}
            <Button
              variant="outline"
              size="sm"
              icon={<X aria-hidden="true" className="size-4" />}
              aria-disabled={isBusy}
              onClick={() => setAsking('cancel')}
            >
              Cancel the rest
            </Button>
          </>
        )}
        {repeatableCount > 0 && (
          <Button
            ref={repeatButton}
            variant="outline"
            size="sm"
            icon={<RotateCcw aria-hidden="true" className="size-4" />}
            aria-disabled={isBusy}
            onClick={() => setAsking('repeat')}
          >
            Send again to the failed ones ({figureText(repeatableCount)})
          </Button>
        )}
        <Button
          variant="outline"
          size="sm"
          icon={<Download aria-hidden="true" className="size-4" />}
          aria-disabled={isBusy}
          onClick={() => void actions.exportResults(filters)}
        >
          Export to Excel
        </Button>
      </div>
      <CancelModal
        batch={asking === 'cancel' ? batch : null}
        isBusy={isBusy}
        focusBack={() => titleRef.current ?? true}
        onCancel={() => void actions.cancel().then(() => setAsking(null))}
        onClose={() => setAsking(null)}
      />
      <ConfirmModal
        // Somebody else may have sent them meanwhile.
        open={asking === 'repeat' && repeatableCount > 0}
        isRepeat
        isBusy={isBusy}
        count={repeatableCount}
        subject={batch.subject}
        queue={queue}
        focusBack={() => repeatButton.current ?? titleRef.current ?? true}
        onSend={() => void sendAgain()}
        onClose={() => setAsking(null)}
      />
    </>
  )
}

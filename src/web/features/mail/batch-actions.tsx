import { Download, Pause, Play, RotateCcw, X } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { bulkPerDay, finishText } from '#shared/mail/mail-quota.ts'
import type { BatchSummary, MailQueueStatus } from '#shared/mail/mail-response.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { useNow } from '#web/lib/relative-time.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import { type BulkAddress, bulkPath } from './bulk-data.ts'

interface BatchActionsProps {
  batch: BatchSummary
  queue: MailQueueStatus | null
  filters: Pick<BulkAddress, 'state' | 'search'>
  titleRef: RefObject<HTMLElement | null>
}

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
              // The same key, so that the focus stays on it.
              <Button
                key="pause"
                size="sm"
                icon={<Play aria-hidden="true" className="size-4" />}
                aria-disabled={isBusy}
                onClick={() => void actions.resume()}
              >
                Resume
              </Button>
            ) : (
              <Button
                key="pause"
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
            Retry failed ({figureText(repeatableCount)})
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
        // Another user may have retried them meanwhile.
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

interface CancelModalProps {
  batch: BatchSummary | null
  isBusy: boolean
  focusBack: () => HTMLElement | true
  onCancel: () => void
  onClose: () => void
}

function CancelModal({ batch, isBusy, focusBack, onCancel, onClose }: CancelModalProps) {
  // Keeps the content while the modal fades out.
  const [last, setLast] = useState(batch)
  if (batch && batch !== last) setLast(batch)
  const waiting = last?.counts.queued ?? 0
  return (
    <Modal
      open={batch !== null}
      onClose={onClose}
      title="Cancel the rest"
      size="sm"
      focusBack={focusBack}
      footer={
        <>
          <Button variant="outline" size="sm" onClick={onClose}>
            Continue sending
          </Button>
          <Button variant="danger" size="sm" aria-disabled={isBusy} onClick={onCancel}>
            {isBusy ? 'Cancelling…' : `Cancel ${countOf(waiting, 'e-mail')}`}
          </Button>
        </>
      }
    >
      <p>
        {waiting === 1 ? '1 e-mail has' : `${figureText(waiting)} e-mails have`} not been sent yet and will be
        cancelled. E-mails already sent can’t be recalled.
      </p>
    </Modal>
  )
}

function useBatchActions({ id }: Pick<BatchSummary, 'id'>) {
  const readAgain = useReadAgain()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // State changes with the next render; a second click can come before it.
  const isActing = useRef(false)

  /** @param failed the sentence shown on failure, before the reason */
  async function act<T>(failed: string, action: () => Promise<T>): Promise<T | undefined> {
    if (isActing.current) return undefined
    isActing.current = true
    setBusy(true)
    setFailure(null)
    try {
      return await action()
    } catch (error) {
      setFailure(`${failed}: ${sentenceOf(error)}`)
      return undefined
    } finally {
      isActing.current = false
      setBusy(false)
      readAgain()
    }
  }

  const one = { param: { id } }
  const batch = api.mail.batches[':id']
  return {
    isBusy,
    failure,
    dismissFailure: () => setFailure(null),
    pause: () => act('Failed to pause', () => callApi(batch.pause.$post(one))),
    resume: () => act('Failed to resume', () => callApi(batch.resume.$post(one))),
    cancel: () => act('Failed to cancel', () => callApi(batch.cancel.$post(one))),
    sendAgain: async () =>
      (await act('Failed to send emails', () => callApi(batch.repeat.$post({ ...one, header: {} }))))?.id,
    exportResults: ({ state, search }: Pick<BulkAddress, 'state' | 'search'>) =>
      act('Failed to export the results', async () => {
        showToast({ type: 'info', message: 'Preparing Excel export...' })
        const query = { ...(state ? { state } : {}), ...(search ? { search } : {}) }
        await saveDownload(await batch['results.xlsx'].$get({ ...one, query }), 'E-mail results.xlsx')
        showToast({ type: 'success', message: 'Export complete!' })
      }),
  }
}

interface ConfirmModalProps {
  open: boolean
  isRepeat?: boolean
  isBusy: boolean
  count: number
  subject: string
  queue: MailQueueStatus | null
  onSend: () => void
  focusBack?: () => HTMLElement | true
  onClose: () => void
}

export function ConfirmModal(props: ConfirmModalProps) {
  const { open, isRepeat = false, isBusy, focusBack, onSend, onClose, ...question } = props
  // Keeps the content while the modal fades out.
  const [last, setLast] = useState(question)
  if (open && (last.count !== question.count || last.subject !== question.subject)) setLast(question)
  const { count, subject } = open ? question : last
  const toWhom = `${isRepeat ? 'again ' : ''}to ${countOf(count, 'recipient')}`
  return (
    <Modal
      open={open}
      onClose={() => !isBusy && onClose()}
      title={isRepeat ? 'Retry failed recipients' : 'Send bulk e-mail'}
      size="sm"
      focusBack={focusBack}
      footer={
        <>
          <Button variant="outline" size="sm" disabled={isBusy} onClick={onClose}>
            Go back
          </Button>
          <Button size="sm" aria-disabled={isBusy} onClick={onSend}>
            {isBusy ? 'Sending…' : `Send ${toWhom}`}
          </Button>
        </>
      }
    >
      <p>Send this e-mail {toWhom}?</p>
      <p className="mt-3 text-sm">
        <span className="block text-muted">Subject</span>
        <strong className="font-semibold wrap-anywhere">{subject}</strong>
      </p>
      {question.queue && <Plan count={count} queue={question.queue} />}
    </Modal>
  )
}

function Plan({ count, queue }: { count: number; queue: MailQueueStatus }) {
  const timeZone = useProgramTimeZone()
  const now = useNow(queue)
  const end = estimateEnd(queue, count, now)
  return (
    <p className="mt-3 text-sm text-muted">
      {`Sends up to ${figureText(queue.perMinute)} per minute and ${figureText(bulkPerDay(queue.perDay))} per day. `}
      {`Finishes ${finishText(end, now, timeZone)}. `}
      You can pause or cancel it at any time.
    </p>
  )
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** When the last mail of a new batch will probably be sent, after the queue: an ISO instant. */
export function estimateEnd(
  {
    counts,
    sentToday,
    perDay,
    perMinute,
  }: Pick<MailQueueStatus, 'counts' | 'sentToday' | 'perDay' | 'perMinute'>,
  recipients: number,
  now: Date,
): string {
  const aDay = bulkPerDay(perDay)
  const messages = counts.queued + counts.sending + recipients
  const today = Math.max(0, aDay - sentToday)
  const minutesFor = (count: number) => Math.ceil(count / perMinute) * minuteMs
  if (messages <= today) return new Date(now.getTime() + minutesFor(messages)).toISOString()
  const days = Math.ceil((messages - today) / aDay)
  const lastDay = messages - today - (days - 1) * aDay
  return new Date(now.getTime() + days * dayMs + minutesFor(lastDay)).toISOString()
}

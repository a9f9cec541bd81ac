import { Download, Pause, Play, RotateCcw, X } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { bulkPerDay, finishText } from '#shared/mail/mail-quota.ts'
import type { BatchSummary, MailQueueStatus } from '#shared/mail/mail-response.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Hint } from '#web/components/hint.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { saveExport } from '#web/components/save-export.ts'
import { api, callApi } from '#web/lib/api.ts'
import { failureText } from '#web/lib/api-problem.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { useNow } from '#web/lib/relative-time.ts'
import { type BulkAddress, bulkAddress } from './bulk-data.ts'
import { useEmailFrame } from './email-data.ts'

interface Action {
  /** The words for a failure, before the reason. */
  whatFailed: string
  send: () => Promise<unknown>
}

interface BatchActionsProps {
  batch: BatchSummary
  filters: Pick<BulkAddress, 'state' | 'search'>
  titleRef: RefObject<HTMLElement | null>
}

export function BatchActions({ batch, filters, titleRef }: BatchActionsProps) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'cancel' | 'repeat' | null>(null)
  const repeatButton = useRef<HTMLButtonElement>(null)
  const action = useAction({
    topics: ['mail'],
    mutationFn: ({ send }: Action) => send().finally(() => setAsking(null)),
  })
  const { isPending: isBusy, run } = action
  const { repeatableCount } = batch
  const one = { param: { id: batch.id } }
  const calls = api.mail.batches[':id']

  const isPaused = batch.state === 'paused'
  const PauseIcon = isPaused ? Play : Pause
  const button = { variant: 'outline', size: 'sm', 'aria-disabled': isBusy } as const

  function decide(what: 'pause' | 'resume' | 'cancel') {
    run({ whatFailed: `Failed to ${what}`, send: () => callApi(calls[what].$post(one)) })
  }

  function sendAgain() {
    run({
      whatFailed: 'Failed to send emails',
      async send() {
        const { id } = await callApi(calls.repeat.$post({ ...one, header: {} }))
        void navigate(bulkAddress.to({ batch: id }))
      },
    })
  }

  function exportResults() {
    run({
      whatFailed: 'Failed to export the results',
      send() {
        const { state, search } = filters
        return saveExport(
          calls['results.xlsx'].$get({ ...one, query: { state, search } }),
          'E-mail results.xlsx',
        )
      },
    })
  }

  return (
    <>
      {action.error && (
        <ErrorBanner
          message={failureText(action.variables.whatFailed, action.error)}
          onDismiss={action.reset}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {(batch.state === 'running' || isPaused) && (
          <>
            <Button
              {...button}
              variant={isPaused ? 'primary' : 'outline'}
              icon={PauseIcon}
              onClick={() => decide(isPaused ? 'resume' : 'pause')}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
            <Button {...button} icon={X} onClick={() => setAsking('cancel')}>
              Cancel the rest
            </Button>
          </>
        )}
        {repeatableCount > 0 && (
          <Button {...button} ref={repeatButton} icon={RotateCcw} onClick={() => setAsking('repeat')}>
            Retry failed ({figureText(repeatableCount)})
          </Button>
        )}
        <Button {...button} icon={Download} onClick={exportResults}>
          Export to Excel
        </Button>
      </div>
      <QuestionModal
        title="Cancel the rest"
        thing={asking === 'cancel' ? batch.counts : null}
        isBusy={isBusy}
        focusBack={() => titleRef.current ?? true}
        words={({ queued }) => ({
          confirm: `Cancel ${countOf(queued, 'e-mail')}`,
          busy: 'Cancelling…',
          dismiss: 'Continue sending',
        })}
        onConfirm={() => decide('cancel')}
        onClose={() => setAsking(null)}
      >
        {({ queued }) => (
          <p>
            {queued === 1 ? '1 e-mail has' : `${figureText(queued)} e-mails have`} not been sent yet and will
            be cancelled. E-mails already sent can’t be recalled.
          </p>
        )}
      </QuestionModal>
      <ConfirmModal
        // Another user may have retried them meanwhile.
        open={asking === 'repeat' && repeatableCount > 0}
        isRepeat
        isBusy={isBusy}
        count={repeatableCount}
        subject={batch.subject}
        focusBack={() => repeatButton.current ?? titleRef.current ?? true}
        onSend={sendAgain}
        onClose={() => setAsking(null)}
      />
    </>
  )
}

interface ConfirmModalProps {
  open: boolean
  isRepeat?: boolean
  isBusy: boolean
  count: number
  subject: string
  onSend: () => void
  focusBack?: () => HTMLElement | true
  onClose: () => void
}

export function ConfirmModal(props: ConfirmModalProps) {
  const { open, isRepeat = false, isBusy, count, subject, focusBack, onSend, onClose } = props
  const toWhom = (recipients: number) => `${isRepeat ? 'again ' : ''}to ${countOf(recipients, 'recipient')}`
  return (
    <QuestionModal
      title={isRepeat ? 'Retry failed recipients' : 'Send bulk e-mail'}
      thing={open ? { count, subject } : null}
      isBusy={isBusy}
      isDangerous={false}
      focusBack={focusBack}
      words={(sending) => ({
        confirm: `Send ${toWhom(sending.count)}`,
        busy: 'Sending…',
        dismiss: 'Go back',
      })}
      onConfirm={onSend}
      onClose={onClose}
    >
      {(sending) => (
        <>
          <p>Send this e-mail {toWhom(sending.count)}?</p>
          <p className="mt-3 text-sm">
            <span className="block text-muted">Subject</span>
            <strong className="font-semibold wrap-anywhere">{sending.subject}</strong>
          </p>
          <Hint className="mt-3">
            <SendingPlan count={sending.count} /> You can pause or cancel it at any time.
          </Hint>
        </>
      )}
    </QuestionModal>
  )
}

/** How fast a new bulk e-mail is sent, and when its last message will be. */
export function SendingPlan({ count }: { count: number }) {
  const queue = useEmailFrame().data?.queue
  const timeZone = useProgramTimeZone()
  const now = useNow(queue)
  if (!queue?.isConfigured) return null
  const end = finishText(estimateEnd(queue, count, now), now, timeZone)
  return `Sends up to ${figureText(queue.perMinute)} per minute and ${figureText(bulkPerDay(queue.perDay))} per day. Finishes ${end}.`
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

import { useState } from 'react'
import { finishText } from '#shared/finish-text.ts'
import type { MailQueueStatus } from '#shared/mail.ts'
import { bulkPerDay } from '#shared/mail-quota.ts'
import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'
import { countOf, figureText } from '#web/lib/count-text.ts'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { usePresent } from '#web/lib/relative-time.ts'
import { estimateEnd } from './estimate-end.ts'

interface ConfirmModalProps {
  open: boolean
  /** Whether it is for those of an earlier batch who didn't get it. */
  isRepeat?: boolean
  isBusy: boolean
  count: number
  subject: string
  /** Null while nobody tells. */
  queue: MailQueueStatus | null
  onSend: () => void
  /** What gets the focus when it closes; see `Modal`. */
  focusBack?: () => HTMLElement | true
  onClose: () => void
}

/** Asks before a bulk e-mail is sent: to how many, what, and until when. */
export function ConfirmModal(props: ConfirmModalProps) {
  const { open, isRepeat = false, isBusy, focusBack, onSend, onClose, ...question } = props
  // While the modal fades out it still asks what it asked.
  const [last, setLast] = useState(question)
  if (open && (last.count !== question.count || last.subject !== question.subject)) setLast(question)
  const { count, subject } = open ? question : last
  const toWhom = `${isRepeat ? 'again ' : ''}to ${countOf(count, 'recipient')}`
  return (
    <Modal
      open={open}
      onClose={() => !isBusy && onClose()}
      title={isRepeat ? 'Send again to the failed ones' : 'Send the bulk e-mail'}
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
  const now = usePresent(queue)
  const end = estimateEnd(queue, count, now)
  return (
    <p className="mt-3 text-sm text-muted">
      {`At most ${figureText(queue.perMinute)} a minute and ${figureText(bulkPerDay(queue.perDay))} a day are sent. `}
      {`The last will probably go out ${finishText(end, now, timeZone)}. `}
      You can pause or cancel it meanwhile.
    </p>
  )
}

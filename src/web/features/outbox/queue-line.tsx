import { TriangleAlert } from 'lucide-react'
import type { MailQueueStatus } from '#shared/mail.ts'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { usePresent } from '#web/lib/relative-time.ts'
import { queueText } from './queue-text.ts'

/** How the queue stands: what went out today, what waits and until when, and why nothing goes out. */
export function QueueLine({ queue }: { queue: MailQueueStatus }) {
  const timeZone = useProgramTimeZone()
  const now = usePresent(queue)
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted tabular-nums">{queueText(queue, now, timeZone)}</p>
      {queue.trouble !== '' && (
        <p
          role="status"
          className="flex items-start gap-2 rounded-box bg-warning-soft px-4 py-3 text-sm text-warning"
        >
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{queue.trouble}</span>
        </p>
      )}
    </div>
  )
}

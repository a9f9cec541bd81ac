import { clsx } from 'clsx'
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react'
import { finishText } from '#shared/finish-text.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { countOf } from '#web/lib/count-text.ts'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { usePresent } from '#web/lib/relative-time.ts'
import type { EmailFrameData } from './email-data.ts'
import { quotaText } from './quota-text.ts'
import { statusSentence } from './status-sentence.ts'

const looks = {
  ok: { Icon: CircleCheck, tone: 'text-success' },
  not_configured: { Icon: CircleDashed, tone: 'text-warning' },
  error: { Icon: TriangleAlert, tone: 'text-danger' },
} as const

/** Whether e-mail goes out, why not, and how far the queue is. */
export function ServiceStatus({ data }: { data: EmailFrameData | null }) {
  if (!data) return <Skeleton className="h-6 w-64" />
  const { status, queue } = data
  const isTroubled = status.status === 'ok' && queue.trouble !== ''
  const { Icon, tone } = looks[isTroubled ? 'error' : status.status]
  return (
    <div className="min-w-0 text-sm">
      <p role="status" className="flex items-start gap-2 font-medium">
        <Icon aria-hidden="true" className={clsx('mt-0.5 size-5 shrink-0', tone)} />
        <span className="min-w-0 py-0.5 wrap-anywhere">
          <AddressText text={statusSentence(data)} />
        </span>
      </p>
      {status.isConfigured && <Queue queue={queue} />}
    </div>
  )
}

function Queue({ queue }: Pick<EmailFrameData, 'queue'>) {
  const timeZone = useProgramTimeZone()
  const now = usePresent(queue)
  const { counts, finishesAt } = queue
  const waiting = counts.queued + counts.sending
  return (
    <p className="mt-0.5 pl-7 text-muted tabular-nums">
      {quotaText(queue)}{' '}
      {waiting > 0 && (
        <>
          {countOf(waiting, 'message')} waiting
          {finishesAt === null ? '.' : `; the last goes out ${finishText(finishesAt, now, timeZone)}.`}
        </>
      )}
    </p>
  )
}

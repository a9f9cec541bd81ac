import { useEffect, useEffectEvent, useRef } from 'react'
import { type BatchSummary, mailSentences } from '#shared/mail.ts'
import { showToast } from '#web/components/toaster.tsx'
import { hasEnded } from './batch-texts.ts'

/** Says how a batch ended, to whoever watched it end (spec §8). */
export function useEndNotice(batch: BatchSummary): void {
  const isEnded = hasEnded(batch)
  const wasUnderWay = useRef(false)
  const tell = useEffectEvent(() => {
    const { counts, recipientCount, state } = batch
    if (state === 'cancelled') return
    if (counts.sent === 0 && counts.failed > 0) {
      showToast({ type: 'error', message: mailSentences.failedEmails('the results say why.') })
      return
    }
    showToast({
      type: counts.sent === recipientCount ? 'success' : 'warning',
      message: mailSentences.sentSome(counts.sent, recipientCount),
    })
  })
  useEffect(() => {
    if (isEnded && wasUnderWay.current) tell()
    wasUnderWay.current = !isEnded
  }, [isEnded])
}

import { useEffect, useRef } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { MailQueueStatus } from '#shared/mail.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { BatchActions } from './batch-actions.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { BatchResults } from './batch-results.tsx'
import { hasEnded, leftOutText, sourceText } from './batch-texts.ts'
import { type BulkAddress, bulkPath } from './bulk-address.ts'
import type { OpenBatch } from './bulk-data.ts'
import type { RenderResults } from './results-list.ts'
import { useEndNotice } from './use-end-notice.ts'

/** While mail goes out the screen asks again by itself: a lost notice must not leave it standing. */
const askEveryMs = 10_000

interface BatchViewProps {
  data: OpenBatch
  /** What is wanted, which may still be on its way. */
  address: BulkAddress
  busy: boolean
  /** How far the outgoing mail is; null while nobody tells. */
  queue: MailQueueStatus | null
  renderResults: RenderResults
}

/** One batch: how far it is, what can be done with it, and what became of each message. */
export function BatchView({ data, address, busy, queue, renderResults }: BatchViewProps) {
  const { summary } = data
  const navigate = useNavigate()
  const texts = useInstantTexts()
  const title = useRef<HTMLHeadingElement>(null)
  useAskingAgain(summary.state !== 'paused' && !hasEnded(summary))
  useEndNotice(summary)
  useEffect(() => {
    // Opened by a button that is gone: whoever works by keyboard goes on here.
    if (document.activeElement === document.body) title.current?.focus()
  }, [])

  function show(changes: Partial<BulkAddress>, options: { replace?: boolean } = {}) {
    const next = bulkPath({ ...address, cursor: '', message: null, ...changes })
    void navigate(next, { ...options, preventScrollReset: true })
  }

  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-64 flex-1">
          <h2 ref={title} tabIndex={-1} className="text-lg font-semibold wrap-anywhere outline-hidden">
            {summary.subject}
          </h2>
          <p className="mt-1 text-sm wrap-anywhere text-muted">
            <AddressText
              text={[
                sourceText(summary.source),
                leftOutText(summary),
                texts.momentOf(summary.createdAt),
                summary.createdBy,
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            />
          </p>
        </div>
        <ButtonLink variant="outline" size="sm" className="max-md:min-h-11" to={bulkPath()}>
          All bulk e-mails
        </ButtonLink>
      </div>
      <section
        aria-label="Progress"
        className="flex flex-col gap-4 rounded-box border bg-card p-4 shadow-card sm:p-5"
      >
        <BatchProgress batch={summary} />
        <BatchActions batch={summary} queue={queue} filters={address} titleRef={title} />
      </section>
      <BatchResults data={data} address={address} busy={busy} onShow={show} renderResults={renderResults} />
    </div>
  )
}

function useAskingAgain(isSending: boolean) {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (!isSending) return
    const timer = setInterval(() => void revalidate(), askEveryMs)
    return () => clearInterval(timer)
  }, [isSending, revalidate])
}

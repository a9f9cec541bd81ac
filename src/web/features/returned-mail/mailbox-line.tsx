import { Inbox, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { MailboxStatus } from '#shared/returned-mail.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'

/** When the mailbox was read, or why it could not be, and the way to have it read now. */
export function MailboxLine({ mailbox, texts }: { mailbox: MailboxStatus; texts: InstantTexts }) {
  const { revalidate } = useRevalidator()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState('')
  if (!mailbox.isConfigured) return null
  const isChecking = isAsking || mailbox.isChecking

  async function check() {
    if (isAsking) return
    setAsking(true)
    setFailure('')
    try {
      await callApi(api.mail.bounces.check.$post())
    } catch (error) {
      setFailure(`The mailbox could not be read. ${sentenceOf(error)}`)
    } finally {
      setAsking(false)
      void revalidate()
    }
  }

  const problem = failure || mailbox.failure
  return (
    <div className="flex flex-col gap-3">
      {problem !== '' && !isChecking && <ErrorBanner message={problem} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box border bg-card px-4 py-2 shadow-card">
        <Inbox aria-hidden="true" className="size-5 shrink-0 text-muted" />
        <p role="status" className="min-w-0 flex-1 text-sm">
          {isChecking ? 'Reading the mailbox…' : stateOf(mailbox, texts)}
        </p>
        <Button
          variant="outline"
          size="sm"
          className="max-sm:min-h-11"
          icon={<RefreshCw aria-hidden="true" className="size-4" />}
          aria-disabled={isChecking}
          onClick={() => void check()}
        >
          Check now
        </Button>
      </div>
    </div>
  )
}

function stateOf({ checkedAt, failure }: MailboxStatus, texts: InstantTexts): string {
  if (checkedAt === null) return 'The mailbox was not read yet.'
  return failure === '' ? `Read at ${texts.momentOf(checkedAt)}` : `Tried at ${texts.momentOf(checkedAt)}`
}

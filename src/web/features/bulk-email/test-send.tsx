import { useRef, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { singleMailFailure } from '#web/lib/single-mail-failure.ts'
import type { Sample } from './addressees.ts'
import { type BulkValues, textOf } from './bulk-values.ts'
import { placeholderValuesOf } from './placeholder-values.ts'

interface TestSendProps {
  values: BulkValues
  /** Whose values it is filled with. */
  recipient: Sample | undefined
  isReady: boolean
}

/** Sends the mail to the sender's own address, as the recipient that is shown will read it. */
export function TestSend({ values, recipient, isReady }: TestSendProps) {
  const [isBusy, setBusy] = useState(false)
  // State changes with the next render, and a second press can come before it.
  const isSending = useRef(false)

  async function send() {
    if (isSending.current || !isReady) return
    isSending.current = true
    setBusy(true)
    try {
      const { success, message } = await callApi(
        api.mail.test.bulk.$post({
          json: { ...textOf(values), values: placeholderValuesOf(recipient) },
          header: { 'idempotency-key': crypto.randomUUID() },
        }),
      )
      showToast({ type: success ? 'success' : 'info', message })
    } catch (error) {
      showToast({ type: 'error', message: singleMailFailure(error) })
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        variant="outline"
        size="sm"
        className="max-md:min-h-11"
        aria-disabled={isBusy || !isReady}
        onClick={() => void send()}
      >
        {isBusy ? 'Sending…' : 'Send a test to yourself'}
      </Button>
      <p className="text-sm text-muted">To the address that e-mail is sent from.</p>
    </div>
  )
}

import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { BatchSummary } from '#shared/mail.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import type { BulkAddress } from './bulk-address.ts'

/** What can be done with a batch. One thing at a time; what went wrong stays in sight. */
export function useBatchActions({ id }: Pick<BatchSummary, 'id'>) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // State changes with the next render, and a second press can come before it.
  const isActing = useRef(false)

  /** @param failed what the person reads when it went wrong; the reason follows */
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
      void revalidate()
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
    /** @returns the new batch's id, undefined when there is none */
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

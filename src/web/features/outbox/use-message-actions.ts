import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { MailItem } from '#shared/mail.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

/** What somebody decides about a message that failed, or whose end nobody knows. */
export interface MessageActions {
  /** The message that is being decided about; null for none. */
  busyId: string | null
  sendAgain: (item: MailItem) => Promise<void>
  arrived: (item: MailItem) => Promise<void>
  didNotArrive: (item: MailItem) => Promise<void>
}

/** @param onDone is called after a decision, before the list is read again */
export function useMessageActions(onDone: () => void): MessageActions {
  const { revalidate } = useRevalidator()
  const [busyId, setBusyId] = useState<string | null>(null)
  // State changes with the next render, and a second press can come before it.
  const isActing = useRef(false)

  async function act({ id }: MailItem, message: string, action: () => Promise<unknown>) {
    if (isActing.current) return
    isActing.current = true
    setBusyId(id)
    try {
      await action()
      showToast({ type: 'success', message })
      onDone()
    } catch (error) {
      showToast({ type: 'error', message: sentenceOf(error) })
    } finally {
      isActing.current = false
      setBusyId(null)
      // Also after a failure: the reason may be that somebody else decided.
      void revalidate()
    }
  }

  const settle = (item: MailItem, as: 'sent' | 'failed', message: string) =>
    act(item, message, () =>
      callApi(api.mail.messages[':id'].settle.$post({ param: { id: item.id }, json: { as } })),
    )

  return {
    busyId,
    sendAgain: (item) =>
      act(item, `The e-mail to ${item.recipient} will be sent again.`, () =>
        callApi(api.mail.messages[':id']['send-again'].$post({ param: { id: item.id } })),
      ),
    arrived: (item) => settle(item, 'sent', 'The e-mail counts as sent.'),
    didNotArrive: (item) => settle(item, 'failed', 'The e-mail counts as failed.'),
  }
}

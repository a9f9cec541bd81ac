import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

/** How long the success is shown (spec §9), in milliseconds. */
const clearMs = 3_000

/** An announcement as it stood in the list when its deletion was asked for. */
type Asked = Pick<ManagedAnnouncement, 'id' | 'version'>

/** The two steps of deleting an announcement, and what became of it. */
export interface Deletion {
  /** The announcement that is asked about, null for none. */
  asked: Asked | null
  isBusy: boolean
  message: string | null
  failure: string | null
  ask: (announcement: Asked) => void
  cancel: () => void
  confirm: () => Promise<void>
  dismissFailure: () => void
}

/** @param onDeleted is called before the list is read without it */
export function useDeletion(onDeleted: () => void): Deletion {
  const { revalidate } = useRevalidator()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  // State changes with the next render, and a second press can come before it.
  const isActing = useRef(false)

  useEffect(() => {
    if (message === null) return
    const timer = setTimeout(() => setMessage(null), clearMs)
    return () => clearTimeout(timer)
  }, [message])

  return {
    asked,
    isBusy,
    message,
    failure,
    ask: ({ id, version }) => setAsked({ id, version }),
    cancel: () => setAsked(null),
    dismissFailure: () => setFailure(null),

    async confirm() {
      if (asked === null || isActing.current) return
      isActing.current = true
      setBusy(true)
      setFailure(null)
      try {
        const header = { 'if-match': `"${asked.version}"` }
        await callApi(api.announcements[':id'].$delete({ param: { id: asked.id }, header }))
        // The question stays until its row goes: nothing of the row takes the focus in between.
        setMessage('Announcement deleted successfully')
        onDeleted()
      } catch (error) {
        setAsked(null)
        setFailure(`Error: ${sentenceOf(error)}`)
      } finally {
        setBusy(false)
        isActing.current = false
        // Also after a failure: the reason may be that somebody else deleted or changed it.
        void revalidate()
      }
    },
  }
}

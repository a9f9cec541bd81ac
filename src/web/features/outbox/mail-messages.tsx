import { useRef } from 'react'
import type { MailItem } from '#shared/mail.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { useNarrowScreen } from '#web/lib/narrow-screen.ts'
import { MessageCards } from './message-cards.tsx'
import { MessageModal } from './message-modal.tsx'
import { MessageTable } from './message-table.tsx'
import { useMessageActions } from './use-message-actions.ts'

export interface MailMessagesProps {
  /** Names the list for screen readers. */
  caption: string
  items: readonly MailItem[]
  busy: boolean
  /** Of one batch: all of one kind and subject. */
  isOneBatch?: boolean
  /** The message that is open, as the address has it; null for none. */
  opened: string | null
  onOpen: (id: string) => void
  onClose: () => void
}

/** A list of messages: a table, and cards on a phone. Each opens, and can be decided about where that is needed. */
export function MailMessages({ opened, onOpen, onClose, isOneBatch = false, ...list }: MailMessagesProps) {
  const isNarrow = useNarrowScreen()
  const texts = useInstantTexts()
  const place = useRef<HTMLDivElement>(null)
  // What was decided about may leave the list, and its buttons with it.
  const actions = useMessageActions(() => {
    if (opened === null) place.current?.focus({ preventScroll: true })
    else onClose()
  })
  const Rows = isNarrow ? MessageCards : MessageTable
  return (
    <div ref={place} tabIndex={-1} className="outline-hidden">
      <Rows {...list} isOneBatch={isOneBatch} texts={texts} actions={actions} onOpen={onOpen} />
      <MessageModal
        id={opened}
        listed={list.items.find(({ id }) => id === opened)}
        actions={actions}
        onClose={onClose}
      />
    </div>
  )
}

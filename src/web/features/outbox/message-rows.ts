import type { MailItem } from '#shared/mail.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import type { MessageActions } from './use-message-actions.ts'

/** What table and cards of messages are made of. */
export interface MessageRowsProps {
  caption: string
  items: readonly MailItem[]
  busy: boolean
  isOneBatch: boolean
  texts: InstantTexts
  actions: MessageActions
  onOpen: (id: string) => void
}

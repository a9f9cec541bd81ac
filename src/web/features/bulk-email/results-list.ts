import type { ReactNode } from 'react'
import type { MailItem } from '#shared/mail.ts'

/** The messages of a batch, and the one that is open. */
export interface ResultsList {
  caption: string
  items: readonly MailItem[]
  busy: boolean
  /** The message that is open, as the address has it; null for none. */
  opened: string | null
  onOpen: (id: string) => void
  onClose: () => void
}

export type RenderResults = (list: ResultsList) => ReactNode

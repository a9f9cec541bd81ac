import type { ReactNode } from 'react'
import type { AnnouncementCard } from './announcement-card.ts'
import { useReading } from './use-reading.ts'

interface AnnouncementReaderProps {
  /** Those that are shown; what one of them says is there while the rest of it is read. */
  cards: readonly AnnouncementCard[]
  /** The list, or what stands in its place. */
  children: (open: (id: string) => void) => ReactNode
}

/** A list of announcements, and over it the one that is open: also when the list has become empty or failed. */
export function AnnouncementReader({ cards, children }: AnnouncementReaderProps) {
  const { id, Modal, open, close } = useReading()
  return (
    <>
      {children(open)}
      {id !== null && Modal && (
        <Modal key={id} id={id} card={cards.find((card) => card.id === id)} onClose={close} />
      )}
    </>
  )
}

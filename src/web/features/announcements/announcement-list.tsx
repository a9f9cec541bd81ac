import type { AnnouncementCard } from './announcement-card.ts'
import { AnnouncementCards } from './announcement-cards.tsx'
import { useReading } from './use-reading.ts'

interface AnnouncementListProps {
  announcements: readonly AnnouncementCard[]
  /** Of the cards' titles: one below that of the section. */
  headings: 'h2' | 'h3'
  /** Whether the first cards are in sight when the page opens. */
  isFirstSight?: boolean
}

/** Cards, and over them the announcement that is open. */
export function AnnouncementList({ announcements, headings, isFirstSight = false }: AnnouncementListProps) {
  const { id, Modal, open, close } = useReading()
  return (
    <>
      <AnnouncementCards
        announcements={announcements}
        headings={headings}
        isFirstSight={isFirstSight}
        onOpen={open}
      />
      {id !== null && Modal && (
        <Modal key={id} id={id} card={announcements.find((card) => card.id === id)} onClose={close} />
      )}
    </>
  )
}

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type AnnouncementCategory, announcementPath } from '#shared/announcements/announcements.ts'
import { connectionSentence } from '#shared/problem.ts'
import { showToast } from '#web/components/toaster.tsx'
import type { Section } from '#web/lib/section.ts'
import {
  AnnouncementCards,
  type AnnouncementCardsProps,
  announcementHash,
  cardLinkId,
  openedFromList,
  readIdOf,
  wasOpenedFromList,
} from './announcement-cards.tsx'
import type { AnnouncementCard } from './announcement-facts.tsx'
import { LoadFailure, NoAnnouncements } from './load-failure.tsx'

interface AnnouncementListProps extends Pick<AnnouncementCardsProps, 'Heading' | 'isFirstSight'> {
  announcements: Section<readonly AnnouncementCard[]>
  category?: AnnouncementCategory | null
}

/** The cards, and the modal in which one is read. */
export function AnnouncementList({ announcements, category = null, ...cards }: AnnouncementListProps) {
  const { data, failure } = announcements
  const { id, opening, Modal, open, close } = useAnnouncementModal()
  return (
    <>
      {failure !== null && <LoadFailure message={failure} />}
      {data?.length === 0 && <NoAnnouncements category={category} />}
      {data && data.length > 0 && <AnnouncementCards {...cards} announcements={data} onOpen={open} />}
      {id !== null && Modal && (
        // A new one for each opening: the browser has closed the former dialog, perhaps before React drew it closed.
        <Modal key={opening} id={id} card={data?.find((card) => card.id === id)} onClose={close} />
      )}
    </>
  )
}

const load = () => import('./announcement-modal.tsx')
type Modal = Awaited<ReturnType<typeof load>>['AnnouncementModal']

function useAnnouncementModal() {
  const { hash, search, state, key } = useLocation()
  const navigate = useNavigate()
  const [Modal, setModal] = useState<Modal | null>(null)
  const id = readIdOf(hash)

  function close() {
    // Back closes it, and closing it is going back: the history stays as the visitor made it.
    if (wasOpenedFromList(state)) void navigate(-1)
    else void navigate({ search, hash: '' }, { replace: true, preventScrollReset: true })
  }

  // If the modal's scripts fail to load, the announcement's page opens. Without a connection the
  // list stays.
  const openWithoutModal = useEffectEvent((announcement: string) => {
    if (navigator.onLine) return window.location.assign(announcementPath(announcement))
    showToast({ type: 'error', message: connectionSentence })
    close()
  })

  useEffect(() => {
    if (id === null || Modal) return
    void load().then(
      (module) => setModal(() => module.AnnouncementModal),
      () => openWithoutModal(id),
    )
  }, [id, Modal])
  useFocusOnCard(id)

  return {
    id,
    opening: key,
    Modal,
    open(announcement: string) {
      void navigate(
        { search, hash: announcementHash(announcement) },
        { state: openedFromList, preventScrollReset: true },
      )
    },
    close,
  }
}

function useFocusOnCard(id: string | null) {
  const last = useRef<string | null>(null)
  useEffect(() => {
    const closed = last.current
    last.current = id
    if (id !== null || closed === null) return
    const target = document.getElementById(cardLinkId(closed)) ?? document.getElementById('content')
    target?.focus({ preventScroll: true })
  }, [id])
}

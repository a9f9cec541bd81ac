import { TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import {
  type AnnouncementCategory,
  announcementPath,
  announcementsPath,
} from '#shared/announcements/announcements.ts'
import { connectionSentence } from '#shared/problem.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { type ApiProblem, connectionProblem, problemOfResponse } from '#web/lib/api-problem.ts'
import { useFormAddress } from '#web/lib/form-address.ts'
import { timeLimit } from '#web/lib/older-browsers.ts'
import type { Section } from '#web/lib/section.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import {
  AnnouncementCards,
  type AnnouncementCardsProps,
  announcementHash,
  cardLinkId,
  readIdOf,
} from './announcement-cards.tsx'
import type { AnnouncementCard } from './announcement-facts.tsx'

interface AnnouncementListProps
  extends Pick<AnnouncementCardsProps, 'Heading' | 'isFirstSight' | 'isCompact'> {
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
  const { pathname, search, hash, key } = useLocation()
  const id = readIdOf(hash)
  const { open, close } = useFormAddress(id !== null)
  const [Modal, setModal] = useState<Modal | null>(null)
  const list = pathname + search

  // If the modal's scripts fail to load, the announcement's page opens. Without a connection the list stays.
  const openWithoutModal = useEffectEvent((announcement: string) => {
    if (navigator.onLine) return window.location.assign(announcementPath(announcement))
    showToast('error', connectionSentence)
    close(list)
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
    open: (announcement: string) => open(list + announcementHash(announcement)),
    close: () => close(list),
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

/** Product 4.5. Retry tests the access, then reads the list again. */
function LoadFailure({ message }: { message: string }) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const t = useTranslation()

  async function retry() {
    if (isBusy) return
    setBusy(true)
    setRefusal(null)
    try {
      const sentence = await testAccess()
      if (sentence === null) await revalidate()
      setRefusal(sentence)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div
      role="alert"
      className="flex flex-col items-center gap-3 rounded-box border border-danger bg-danger-soft px-6 py-10 text-center"
    >
      <TriangleAlert className="size-8 text-danger" />
      <p className="font-semibold text-danger">{t(message)}</p>
      {refusal !== null && (
        <>
          <p className="font-semibold text-danger">{t(refusal)}</p>
          <p>
            {t('There seems to be a connection issue. Please check your internet connection and try again.')}
          </p>
        </>
      )}
      <Button variant="outline" aria-disabled={isBusy} onClick={() => void retry()}>
        {isBusy ? 'Trying…' : 'Retry'}
      </Button>
    </div>
  )
}

// The time limit in ms, the same as for the API's other calls.
const timeoutMs = 20_000

/**
 * Reads one announcement with plain `fetch`: the API's client might fail to load on a lost connection, and a browser
 * doesn't request a module twice. @returns null, or the sentence of the failure
 */
async function testAccess(): Promise<string | null> {
  try {
    const response = await fetch('/api/announcements?limit=1', { signal: timeLimit(timeoutMs) })
    return response.ok ? null : accessMessage(await problemOfResponse(response))
  } catch (cause) {
    return accessMessage(connectionProblem(cause))
  }
}

export function accessMessage({ problem, message }: ApiProblem): string {
  return problem.status === 0 ? `Error during retry: ${message}` : `Cannot access announcements: ${message}`
}

function NoAnnouncements({ category }: { category: AnnouncementCategory | null }) {
  const t = useTranslation()
  if (category === null)
    return <p className="text-lg text-muted">{t('No announcements available at this time.')}</p>
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="text-lg text-muted">{t(`No announcements in the ${category} category at this time.`)}</p>
      <ButtonLink variant="outline" to={announcementsPath} preventScrollReset>
        All announcements
      </ButtonLink>
    </div>
  )
}

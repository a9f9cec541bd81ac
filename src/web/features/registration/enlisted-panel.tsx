import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { api } from '#web/lib/api.ts'
import { protectPage } from '#web/lib/stale-data.ts'
import { runAfter } from '#web/lib/timers.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { Confirmation } from './confirmation.tsx'
import { readUpcoming, type UpcomingEvent } from './receipt.ts'
import { confirmationPath } from './registration-texts.tsx'
import type { Enlisted } from './use-enlistment.ts'

// In ms (product 3.3).
const redirectMs = 3_000

declare global {
  interface Window {
    /** React Router's manifest of the routes it knows. */
    __reactRouterManifest?: { routes: Record<string, { module: string; path?: string } | undefined> }
  }
}

interface EnlistedPanelProps {
  enlisted: Enlisted
  nextKey: string
  /** Shows the form again, for another student. */
  onAgain: () => void
}

/**
 * Replaces the form under the confirmation's address, so a reload shows it too. Goes home after 3 s
 * (product 3.3), unless the user touches anything, the home page can't be loaded, or the reference code was not in sight.
 */
export function EnlistedPanel({ enlisted: { receipt, ...student }, nextKey, onAgain }: EnlistedPanelProps) {
  const navigate = useNavigate()
  const { key } = useLocation()
  const [stays, setStays] = useState(false)
  const [events, setEvents] = useState<readonly UpcomingEvent[]>([])
  const t = useTranslation()
  const title = useRef<HTMLHeadingElement>(null)
  const code = useRef<HTMLParagraphElement>(null)
  const start = useRef({ key, nextKey })
  const cameBack = useRef(false)

  useEffect(() => {
    window.scrollTo({ top: 0 })
    // The notifications move out of the way of what has the focus, where it is now.
    title.current?.focus({ preventScroll: true })
    // Again: without a connection the first try failed.
    prepareConfirmation()
    copyConfirmation().catch(() => undefined)
    void readUpcoming(api).then(setEvents)
    return protectPage(() => {
      cameBack.current = true
      setStays(true)
    })
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link led to the form, whose address is the router's
  useEffect(() => {
    const isFormThere = key !== start.current.key && nextKey !== start.current.nextKey
    if (isFormThere && !cameBack.current) return onAgain()
    cameBack.current = false
    // Not by the router: it would have to fetch the page, which is here already.
    window.history.replaceState(window.history.state, '', confirmationPath)
  }, [key])

  useEffect(() => {
    if (stays) return
    let isHomeThere = false
    loadHome().then(
      () => {
        isHomeThere = true
      },
      () => undefined,
    )
    return runAfter(redirectMs, () => {
      if (isHomeThere && navigator.onLine && isInSight(code.current)) void navigate('/')
      else setStays(true)
    })
  }, [stays, navigate])

  const stay = () => setStays(true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only detects that the user is reading
    <div className="page-width py-4 md:py-14" onPointerDown={stay} onKeyDown={stay} onWheel={stay}>
      <Confirmation
        {...receipt}
        {...student}
        events={events}
        titleRef={title}
        codeRef={code}
        notice={
          <div className="flex min-h-17 items-center justify-between gap-4 border-b bg-soft px-5 py-3 sm:px-8 print:hidden">
            <p role="status" className="text-sm">
              {t(stays ? 'This page stays open.' : 'You will be taken to the home page in 3 seconds.')}
            </p>
            {!stays && <Button onClick={stay}>Stay here</Button>}
          </div>
        }
        actions={<ButtonLink to="/">Go to the home page</ButtonLink>}
      />
    </div>
  )
}

function isInSight(element: HTMLElement | null): boolean {
  const { top, bottom } = element?.getBoundingClientRect() ?? new DOMRect(0, -1)
  return top >= 0 && bottom <= window.innerHeight
}

/** Caches the confirmation for a lost connection, while the form is being filled in. */
export function prepareConfirmation(): void {
  // Absent on plain http: there the browser's copy is shown by links, but not on a reload.
  navigator.serviceWorker
    ?.register('/confirmation-worker.js', { scope: confirmationPath })
    .catch(() => undefined)
}

// Replaces the copy of an earlier enlistment.
async function copyConfirmation(): Promise<void> {
  const answer = await fetch(confirmationPath, { cache: 'reload' })
  await answer.text()
}

// Loads the home page's module ahead. Without it React Router reloads the document,
// and would lose this page on a bad connection.
async function loadHome(): Promise<void> {
  const home = window.__reactRouterManifest?.routes['pages/home']
  if (!home) throw new Error('the home page is not known yet')
  await import(/* @vite-ignore */ home.module)
}

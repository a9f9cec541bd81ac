import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { Confirmation } from './confirmation.tsx'
import type { Enlisted } from './use-enlistment.ts'

/** Spec §9, in milliseconds. */
const redirectMs = 3_000

/**
 * The confirmation in the form's place. The page goes home after 3 s, unless the reader touches anything
 * here: then it stays.
 */
export function EnlistedPanel({ enlisted: { receipt, nstpComponent } }: { enlisted: Enlisted }) {
  const navigate = useNavigate()
  const [stays, setStays] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [])

  useEffect(() => {
    if (stays) return
    const timer = setTimeout(() => void navigate('/'), redirectMs)
    return () => clearTimeout(timer)
  }, [stays, navigate])

  const stay = () => setStays(true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that somebody is reading here
    <div className="page-width py-8 md:py-14" onPointerDown={stay} onKeyDown={stay} onWheel={stay}>
      <Confirmation
        {...receipt}
        nstpComponent={nstpComponent}
        titleRef={title}
        notice={
          <div className="flex min-h-17 items-center justify-between gap-4 border-b bg-soft px-5 py-3 sm:px-8 print:hidden">
            <p role="status" className="text-sm">
              {stays ? 'This page stays open.' : 'You will be taken to the home page in 3 seconds.'}
            </p>
            {!stays && <Button onClick={stay}>Stay here</Button>}
          </div>
        }
        actions={<ButtonLink to="/">Go to the home page</ButtonLink>}
      />
    </div>
  )
}

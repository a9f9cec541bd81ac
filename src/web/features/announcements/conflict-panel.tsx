import { useEffect, useRef, useState } from 'react'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { readManaged } from './announcements-data.ts'
import { otherChanges } from './edit-conflict.ts'

interface ConflictPanelProps {
  /** As the form saw the announcement. */
  seen: ManagedAnnouncement
  onTakeOver: (now: ManagedAnnouncement) => void
  onSaveOver: (now: ManagedAnnouncement) => void
}

/** After a save that met another change: what that was, and the ways on. Going on typing is one. */
export function ConflictPanel({ seen, onTakeOver, onSaveOver }: ConflictPanelProps) {
  const [now, setNow] = useState<ManagedAnnouncement | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const { momentOf } = useInstantTexts()
  const panel = useRef<HTMLElement>(null)

  useEffect(() => {
    const reading = new AbortController()
    readManaged(seen.id, reading.signal).then(setNow, (error: unknown) => {
      if (!reading.signal.aborted) setFailure(sentenceOf(error))
    })
    panel.current?.focus()
    return () => reading.abort()
  }, [seen.id])

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Another change of this announcement"
      className="rounded-box border border-warning bg-warning-soft p-4 text-sm outline-hidden"
    >
      <h3 className="font-semibold text-warning">This announcement was changed while you were editing it.</h3>
      <p className="mt-1">What you typed is still here, and nothing of it is saved yet.</p>
      {failure !== null && (
        <div className="mt-3">
          <ErrorBanner message={failure} />
        </div>
      )}
      {now && (
        <>
          <dl className="mt-3 flex flex-col gap-1">
            {otherChanges(seen, now, momentOf).map(({ label, now: text }) => (
              <div key={label} className="wrap-anywhere">
                <dt className="inline font-semibold">{label}</dt> <dd className="inline">is now: {text}</dd>
              </div>
            ))}
          </dl>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={() => onTakeOver(now)}>
              Take the other version
            </Button>
            <Button variant="outline" size="sm" onClick={() => onSaveOver(now)}>
              Save mine over it
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

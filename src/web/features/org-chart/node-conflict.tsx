import { useEffect, useRef, useState } from 'react'
import type { OrgNode } from '#shared/org-chart.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { changedSince } from './node-changes.ts'
import { readChart } from './org-chart-data.ts'

interface NodeConflictProps {
  /** As the form saw the position. */
  seen: OrgNode
  onTakeOver: (now: OrgNode) => void
  onSaveOver: (now: OrgNode) => void
}

/** After a save that met another change: what that was, and the ways on. Going on typing is one. */
export function NodeConflict({ seen, onTakeOver, onSaveOver }: NodeConflictProps) {
  const [found, setFound] = useState<{ now: OrgNode; nodes: readonly OrgNode[] } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const panel = useRef<HTMLElement>(null)

  useEffect(() => {
    const reading = new AbortController()
    readChart(reading.signal).then(
      ({ items }) => {
        const now = items.find(({ id }) => id === seen.id)
        if (now) setFound({ now, nodes: items })
      },
      (error: unknown) => {
        if (!reading.signal.aborted) setFailure(sentenceOf(error))
      },
    )
    panel.current?.focus()
    return () => reading.abort()
  }, [seen.id])

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Another change of this position"
      className="rounded-box border border-warning bg-warning-soft p-4 text-sm outline-hidden"
    >
      <h3 className="font-semibold text-warning">This position was changed while you were editing it.</h3>
      <p className="mt-1">What you typed is still here, and nothing of it is saved yet.</p>
      {failure !== null && (
        <div className="mt-3">
          <ErrorBanner message={failure} />
        </div>
      )}
      {found && (
        <>
          <dl className="mt-3 flex flex-col gap-1">
            {changedSince(seen, found.now, found.nodes).map(({ label, now }) => (
              <div key={label} className="wrap-anywhere">
                <dt className="inline font-semibold">{label}</dt> <dd className="inline">is now: {now}</dd>
              </div>
            ))}
          </dl>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={() => onTakeOver(found.now)}>
              Take the other version
            </Button>
            <Button variant="outline" size="sm" onClick={() => onSaveOver(found.now)}>
              Save my changes over it
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

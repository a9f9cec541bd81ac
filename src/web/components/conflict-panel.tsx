import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { Button } from './button.tsx'
import { ErrorBanner } from './error-banner.tsx'

interface ConflictPanelProps<Now> {
  what: string
  read: (signal: AbortSignal) => Promise<Now | undefined>
  changesOf: (now: Now) => readonly { label: string; now: string }[]
  saveLabel: string
  onTakeOver: (now: Now) => void
  onSaveOver: (now: Now) => void
}

/** Shows what another user's change was. Editing may go on. */
export function ConflictPanel<Now>(props: ConflictPanelProps<Now>) {
  const { what, changesOf, saveLabel, onTakeOver, onSaveOver } = props
  const [found, setFound] = useState<{ now: Now } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const panel = useRef<HTMLElement>(null)

  const read = useEffectEvent(async (signal: AbortSignal) => {
    try {
      const now = await props.read(signal)
      if (!signal.aborted && now !== undefined) setFound({ now })
    } catch (error) {
      if (!signal.aborted) setFailure(sentenceOf(error))
    }
  })
  useEffect(() => {
    const controller = new AbortController()
    void read(controller.signal)
    panel.current?.focus()
    return () => controller.abort()
  }, [])

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={`Another change of this ${what}`}
      className="rounded-box border border-warning bg-warning-soft p-4 text-sm outline-hidden"
    >
      <h3 className="font-semibold text-warning">This {what} was changed while you were editing it.</h3>
      <p className="mt-1">Your changes are still here but not saved yet.</p>
      {failure !== null && (
        <div className="mt-3">
          <ErrorBanner message={failure} />
        </div>
      )}
      {found && (
        <>
          <dl className="mt-3 flex flex-col gap-1">
            {changesOf(found.now).map(({ label, now }) => (
              <div key={label} className="wrap-anywhere">
                <dt className="inline font-semibold">{label}</dt> <dd className="inline">is now: {now}</dd>
              </div>
            ))}
          </dl>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={() => onTakeOver(found.now)}>
              Use the other version
            </Button>
            <Button variant="outline" size="sm" onClick={() => onSaveOver(found.now)}>
              {saveLabel}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

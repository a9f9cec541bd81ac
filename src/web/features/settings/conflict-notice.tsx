import { Button } from '#web/components/button.tsx'
import { settingLabels, settingText } from './setting-texts.ts'
import type { Section } from './use-section.ts'

/** Tells what somebody else has saved while something else was typed here, and lets the person choose. */
export function ConflictNotice({
  section: { conflicts, settings, base, keepMine, discard },
  onChosen,
}: {
  section: Section
  /** Called when the notice is about to go, with the button that had the focus. */
  onChosen: () => void
}) {
  function choose(decide: () => void) {
    decide()
    onChosen()
  }

  return (
    <div role="alert" className="rounded-box border border-warning bg-warning-soft px-4 py-3 text-sm">
      <p className="font-semibold text-warning">
        This was changed somewhere else while you were typing. What you typed is still here, not saved.
      </p>
      <dl className="mt-2 flex flex-col gap-1">
        {conflicts.map((name) => (
          <div key={name} className="wrap-anywhere">
            <dt className="inline font-semibold">{settingLabels[name]}</dt>{' '}
            <dd className="inline">is now: {settingText(name, settings, base)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outline" size="sm" onClick={() => choose(keepMine)}>
          Keep what I typed
        </Button>
        <Button variant="outline" size="sm" onClick={() => choose(discard)}>
          Take the other change
        </Button>
      </div>
    </div>
  )
}

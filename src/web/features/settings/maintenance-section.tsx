import { settingsLimits } from '#shared/settings-schema.ts'
import { TextAreaField } from '#web/components/text-field.tsx'
import { lengthHint } from '#web/lib/length-hint.ts'
import { oneLine } from './one-line.ts'
import { SectionCard } from './section-card.tsx'
import type { Section } from './use-section.ts'

/** Maintenance mode: closes registration, and says why. */
export function MaintenanceSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const { maintenance } = values
  return (
    <SectionCard
      title="Maintenance Mode"
      lead="Closes registration with the sentence below. Signing in and the administration go on; whoever is filling the form in keeps what is typed."
      section={section}
    >
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          className="size-5 accent-primary"
          checked={maintenance.enabled}
          onChange={({ target }) => change({ maintenance: { ...maintenance, enabled: target.checked } })}
        />
        Close registration
      </label>
      <TextAreaField
        name="maintenance.sentence"
        label="What registrants read meanwhile"
        density="compact"
        rows={2}
        required
        hint={lengthHint(maintenance.sentence, settingsLimits.sentence)}
        value={maintenance.sentence}
        error={errorOf('maintenance.sentence')}
        onChange={({ target }) =>
          change({ maintenance: { ...maintenance, sentence: oneLine(target.value) } })
        }
      />
    </SectionCard>
  )
}

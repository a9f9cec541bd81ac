import { settingsLimits } from '#shared/settings-schema.ts'
import { TextField } from '#web/components/text-field.tsx'
import { SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

const fields = [
  {
    name: 'mailPerDay',
    max: settingsLimits.mailPerDay,
    hint: 'In any 24 hours. A Gmail account stops at about 500 and then sends nothing for a day; keep some room below that.',
  },
  {
    name: 'mailPerMinute',
    max: settingsLimits.mailPerMinute,
    hint: 'Mail servers take many messages at once for spam.',
  },
] as const

/** How fast e-mail goes out. What does not fit waits in the outbox. */
export function MailSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  return (
    <SectionCard
      title="E-mail limits"
      lead="What is over them waits in the outbox and goes out later by itself."
      section={section}
    >
      {fields.map(({ name, max, hint }) => (
        <TextField
          key={name}
          type="number"
          name={name}
          label={settingLabels[name]}
          hint={hint}
          density="compact"
          className="max-w-md"
          min={1}
          max={max}
          inputMode="numeric"
          value={Number.isNaN(values[name]) ? '' : values[name]}
          error={errorOf(name)}
          onChange={({ target }) => change({ [name]: target.valueAsNumber })}
        />
      ))}
    </SectionCard>
  )
}

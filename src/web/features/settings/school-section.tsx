import { settingsLimits } from '#shared/settings-schema.ts'
import { TextField } from '#web/components/text-field.tsx'
import { lengthHint } from '#web/lib/length-hint.ts'
import { SectionCard } from './section-card.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

/** What the system, the school and the office are called. */
export function SchoolSection({ section }: { section: Section }) {
  const { values, change, errorOf } = section
  const fields = [
    {
      name: 'systemName',
      max: settingsLimits.name,
      hint: 'At the head of every page and in the browser’s tab.',
      required: true,
    },
    {
      name: 'schoolName',
      max: settingsLimits.schoolName,
      hint: 'Under the system name, in the footer and on the printed sheets.',
      required: false,
    },
    {
      name: 'rotcOfficeAddress',
      max: settingsLimits.address,
      hint: values.rotcOfficeAddress
        ? 'The office line in the head of the ROTC sheet.'
        : 'Please fill it in: until then the ROTC sheet is printed without its office line.',
      required: false,
    },
  ] as const
  return (
    <SectionCard title="Names" section={section}>
      {fields.map(({ name, max, hint, required }) => (
        <TextField
          key={name}
          name={name}
          label={settingLabels[name]}
          hint={lengthHint(values[name], max) ?? hint}
          required={required}
          density="compact"
          autoComplete="off"
          value={values[name]}
          error={errorOf(name)}
          onChange={({ target }) => change({ [name]: target.value })}
        />
      ))}
    </SectionCard>
  )
}

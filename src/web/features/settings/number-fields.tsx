import { TextField } from '#web/components/text-field.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'

type NumberSetting = 'recordRetentionYears' | 'auditRetentionMonths' | 'mailPerDay' | 'mailPerMinute'

interface NumberFieldsProps {
  section: Section
  fields: readonly { name: NumberSetting; max: number; hint: string }[]
  className: string
}

/** Settings that are whole numbers from 1. */
export function NumberFields({ section, fields, className }: NumberFieldsProps) {
  const { values, change, errorOf } = section
  return fields.map(({ name, max, hint }) => (
    <TextField
      key={name}
      type="number"
      name={name}
      label={settingLabels[name]}
      hint={hint}
      density="compact"
      className={className}
      min={1}
      max={max}
      inputMode="numeric"
      value={Number.isNaN(values[name]) ? '' : values[name]}
      error={errorOf(name)}
      onChange={({ target }) => change({ [name]: target.valueAsNumber })}
    />
  ))
}

import { useState } from 'react'
import { TextField } from '#web/components/text-field.tsx'
import { settingLabels } from './setting-texts.ts'
import type { Section } from './use-section.ts'
import { readWholeNumber } from './whole-number.ts'

type NumberSetting = 'recordRetentionYears' | 'auditRetentionMonths' | 'mailPerDay' | 'mailPerMinute'

interface NumberFieldProps {
  section: Section
  name: NumberSetting
  hint: string
  className: string
}

interface NumberFieldsProps extends Pick<NumberFieldProps, 'section' | 'className'> {
  fields: readonly { name: NumberSetting; hint: string }[]
}

/** Settings that are whole numbers from 1. */
export function NumberFields({ section, fields, className }: NumberFieldsProps) {
  return fields.map(({ name, hint }) => (
    <NumberField key={name} section={section} name={name} hint={hint} className={className} />
  ))
}

/** A text, not the browser's number field: that drops letters that are typed, and counts on when the wheel turns. */
function NumberField({ section: { values, change, errorOf }, name, hint, className }: NumberFieldProps) {
  const [typed, setTyped] = useState('')
  const value = values[name]
  // Once it stands for another number it is no longer what was typed: it was discarded, or changed elsewhere.
  const text = Object.is(readWholeNumber(typed), value) ? typed : String(value)
  return (
    <TextField
      name={name}
      label={settingLabels[name]}
      hint={hint}
      required
      density="compact"
      className={className}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      error={errorOf(name)}
      onChange={({ target }) => {
        setTyped(target.value)
        change({ [name]: readWholeNumber(target.value) })
      }}
    />
  )
}

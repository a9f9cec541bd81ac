import { useState } from 'react'
import { TextField } from '#web/components/text-field.tsx'

/** A year that is still being typed reads as one of antiquity: '0020'. */
const firstYear = '1900'

interface DateFilterProps {
  name: string
  label: string
  /** The date that the address holds, '' for none. */
  value: string
  min?: string | undefined
  max?: string | undefined
  onChange: (date: string) => void
}

/**
 * A date that narrows a list down. What stands in the control is its own: the address follows a moment later, and
 * until then the control must not be set back, or a date could not be typed digit by digit.
 */
export function DateFilter({ value, onChange, ...field }: DateFilterProps) {
  const [shown, setShown] = useState({ text: value, sent: value, known: value })

  // The address changed. If not because of what was typed here (Clear filters, Back), the control follows it.
  if (value !== shown.known) {
    const isOwn = value === shown.sent
    setShown({ text: isOwn ? shown.text : value, sent: value, known: value })
  }

  function type(text: string) {
    const isUnfinished = text !== '' && text < firstYear
    const sent = isUnfinished ? shown.sent : text
    setShown({ ...shown, text, sent })
    if (sent !== shown.sent) onChange(sent)
  }

  return (
    <TextField
      {...field}
      type="date"
      className="min-w-36 flex-1"
      density="compact"
      value={shown.text}
      onChange={({ target }) => type(target.value)}
    />
  )
}

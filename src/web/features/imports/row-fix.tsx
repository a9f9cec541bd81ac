import { type FormEvent, type ReactNode, useState } from 'react'
import type { ImportDetails, ImportField, ImportRow } from '#shared/imports.ts'
import { Button } from '#web/components/button.tsx'
import { ImportFieldControl } from './import-field-control.tsx'

interface RowFixProps {
  number: number
  fields: readonly ImportField[]
  values: ImportRow['values']
  problems: ImportRow['problems']
  choices: ImportDetails['choices']
  isBusy: boolean
  onSave: (values: Partial<Record<ImportField, string>>) => void
  /** What else can be done with the row. */
  children: ReactNode
}

/** The fields of a row to correct. What was typed stays until it is saved, whatever is read meanwhile. */
export function RowFix({ number, fields, values, problems, choices, isBusy, onSave, children }: RowFixProps) {
  const [typed, setTyped] = useState<Partial<Record<ImportField, string>>>({})

  function save(event: FormEvent) {
    event.preventDefault()
    const corrected = Object.fromEntries(fields.map((field) => [field, typed[field] ?? values[field] ?? '']))
    if (!isBusy) onSave(corrected)
  }

  return (
    <form
      onSubmit={save}
      noValidate
      aria-label={`Correct row ${number}`}
      className="mt-3 flex flex-col gap-3"
    >
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {fields.map((field) => (
          <ImportFieldControl
            key={field}
            field={field}
            id={`row-${number}-${field}`}
            value={typed[field] ?? values[field] ?? ''}
            onChange={(value) => setTyped({ ...typed, [field]: value })}
            error={problems.find(({ path }) => path === field)?.message}
            choices={choices}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" disabled={isBusy}>
          Save<span className="sr-only"> row {number}</span>
        </Button>
        {children}
      </div>
    </form>
  )
}

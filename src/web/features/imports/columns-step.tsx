import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { type ImportDetails, importFieldLabel, importSentences, updateKeyWords } from '#shared/imports.ts'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { FieldError } from '#web/components/field.tsx'
import { useHeldSession } from '#web/components/held-session.ts'
import { api } from '#web/lib/api.ts'
import type { Act } from './act.ts'
import { ColumnList } from './column-list.tsx'
import { ImportFieldControl } from './import-field-control.tsx'
import { importPath } from './imports-address.ts'
import { useMapping } from './use-mapping.ts'

const purposes = [
  { value: 'add', label: 'Add new students' },
  { value: 'reference', label: 'Update by reference code' },
  { value: 'studentId', label: 'Update by student ID' },
] as const

const dateOrderChoices = [
  { value: 'month-first', label: '05/13/2006' },
  { value: 'day-first', label: '13/05/2006' },
] as const

/** The second step: what the columns are, and what all rows have in common. */
export function ColumnsStep({ details, act }: { details: ImportDetails; act: Act }) {
  const navigate = useNavigate()
  const mapping = useMapping(details)
  const { chosen, fields, withoutColumn, missing, missingKey, hasDates } = mapping
  const { updateBy } = chosen
  useHeldSession(mapping.isChanged)
  const [hasConsent, setConsent] = useState(false)
  const [asksConsent, setAsksConsent] = useState(false)
  const [isSending, setSending] = useState(false)

  async function check(event: FormEvent) {
    event.preventDefault()
    if (isSending) return
    if (missingKey) return
    if (!updateBy && !hasConsent) {
      setAsksConsent(true)
      document.getElementById('import-consent')?.focus()
      return
    }
    setSending(true)
    const begun = await act('Failed to check the rows', () =>
      api.imports[':id'].mapping.$put({
        param: { id: details.id },
        json: { ...mapping.mapping(), ...(updateBy ? {} : { consent: true }) },
      }),
    )
    setSending(false)
    if (begun) void navigate(importPath(details.id), { replace: true })
  }

  return (
    <form onSubmit={check} noValidate className="flex flex-col gap-5">
      <div>
        <ChoiceButtons
          legend="What this file is for"
          choices={purposes}
          selected={updateBy ?? 'add'}
          onSelect={(purpose) => mapping.setUpdateBy(purpose === 'add' ? null : purpose)}
        />
        {updateBy && (
          <p className="mt-2 text-sm text-muted">
            Each row changes the record that has its {updateKeyWords[updateBy]}. Empty cells change nothing,
            and you will see every old and new value before anything is saved.
          </p>
        )}
      </div>
      <ColumnList
        columns={details.columns}
        fields={fields}
        chosen={chosen.columns}
        onChoose={mapping.choose}
      />
      {hasDates && (
        <ChoiceButtons
          legend="How the file writes 13 May 2006, where it isn't clear"
          choices={dateOrderChoices}
          selected={chosen.dateOrder}
          onSelect={mapping.setDateOrder}
        />
      )}
      {withoutColumn.length > 0 && (
        <fieldset className="rounded-box border bg-card p-4 shadow-card">
          <legend className="px-1 font-semibold">The same for all rows</legend>
          <p className="mb-3 text-sm text-muted">
            Every student needs these fields, and no column is chosen for them. Choose a column above, or give
            one value for all rows.
          </p>
          <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {withoutColumn.map((field) => (
              <ImportFieldControl
                key={field}
                field={field}
                id={`default-${field}`}
                value={chosen.defaults[field] ?? ''}
                onChange={(value) => mapping.setDefault(field, value)}
                choices={details.choices}
              />
            ))}
          </div>
        </fieldset>
      )}
      {missing.length > 0 && (
        <p role="status" className="rounded-box bg-warning-soft px-4 py-3 text-sm text-warning">
          <strong className="font-semibold">Still missing: </strong>
          {missing.map(importFieldLabel).join(', ')}. Without them every row is listed as a problem.
        </p>
      )}
      {missingKey && (
        <p role="status" className="rounded-box bg-warning-soft px-4 py-3 text-sm text-warning">
          {importSentences.noKey(missingKey)}
        </p>
      )}
      {!updateBy && (
        <div>
          <label className="flex min-h-11 items-start gap-3 text-sm">
            <input
              type="checkbox"
              id="import-consent"
              className="mt-0.5 size-5 shrink-0 accent-primary"
              checked={hasConsent}
              aria-invalid={asksConsent && !hasConsent}
              aria-describedby={asksConsent && !hasConsent ? 'import-consent-error' : undefined}
              onChange={({ target }) => setConsent(target.checked)}
            />
            <span>
              I confirm that these students agreed on paper that the NSTP office collects and uses their
              personal information (Republic Act 10173). Their records will say so.
            </span>
          </label>
          {asksConsent && !hasConsent && (
            <FieldError id="import-consent-error">{importSentences.consent}</FieldError>
          )}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={isSending || missingKey !== null}>
          {isSending ? 'Starting the check…' : 'Check the rows'}
        </Button>
      </div>
    </form>
  )
}

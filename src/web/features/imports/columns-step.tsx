import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type DateOrder,
  fieldsOfImport,
  type ImportColumn,
  type ImportDetails,
  type ImportField,
  type ImportMapping,
  importFieldLabel,
  importSentences,
  requiredImportFields,
  type UpdateKey,
  updateKeyWords,
} from '#shared/imports/imports.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { FieldErrorText, SelectField } from '#web/components/field.tsx'
import { api } from '#web/lib/api.ts'
import { ImportFieldControl } from './import-field-control.tsx'
import { type Act, columnName, importPath } from './imports-data.ts'

const purposes = [
  { value: 'add', label: 'Add new students' },
  { value: 'reference', label: 'Update by reference code' },
  { value: 'studentId', label: 'Update by student ID' },
] as const

const dateOrderChoices = [
  { value: 'month-first', label: '05/13/2006' },
  { value: 'day-first', label: '13/05/2006' },
] as const

export function ColumnsStep({ details, act }: { details: ImportDetails; act: Act }) {
  const navigate = useNavigate()
  const mapping = useMapping(details)
  const { chosen, fields, withoutColumn, missing, missingKey, hasDates } = mapping
  const { updateBy } = chosen
  useDeferredSessionEnd(mapping.isChanged)
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
          legend="Purpose of this file"
          choices={purposes}
          selected={updateBy ?? 'add'}
          onSelect={(purpose) => mapping.setUpdateBy(purpose === 'add' ? null : purpose)}
        />
        {updateBy && (
          <p className="mt-2 text-sm text-muted">
            Each row updates the record with the same {updateKeyWords[updateBy]}. Empty cells are ignored. You
            review every old and new value before anything is saved.
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
          legend="Date format"
          choices={dateOrderChoices}
          selected={chosen.dateOrder}
          onSelect={mapping.setDateOrder}
        />
      )}
      {withoutColumn.length > 0 && (
        <fieldset className="rounded-box border bg-card p-4 shadow-card">
          <legend className="px-1 font-semibold">Fill for all rows</legend>
          <p className="mb-3 text-sm text-muted">
            These required fields have no column. Choose a column above, or enter one value for all rows.
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
          {missing.map(importFieldLabel).join(', ')}. Required for every row.
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
              I confirm that these students signed a paper consent to the NSTP office collecting and using
              their personal information (Republic Act 10173). This is noted in their records.
            </span>
          </label>
          {asksConsent && !hasConsent && (
            <FieldErrorText id="import-consent-error">{importSentences.consent}</FieldErrorText>
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

interface ColumnListProps {
  columns: readonly ImportColumn[]
  fields: readonly ImportField[]
  chosen: Readonly<Record<string, ImportField | null>>
  onChoose: (index: number, field: ImportField | null) => void
}

function ColumnList({ columns, fields, chosen, onChoose }: ColumnListProps) {
  const options = fields.map((field) => ({ value: field, label: importFieldLabel(field) }))
  return (
    <section aria-labelledby="columns-title">
      <h2 id="columns-title" className="mb-2 text-lg font-semibold">
        Match columns
      </h2>
      <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
        {columns.map((column, index) => {
          const choice = chosen[index] ?? null
          const field = choice !== null && fields.includes(choice) ? choice : null
          const name = columnName(column, index)
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place; headings may be equal
              key={index}
              className="grid items-center gap-x-4 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]"
            >
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
                  {name}
                  {field !== null && field === column.guess && <Badge tone="info">Auto-matched</Badge>}
                </p>
                <p className="line-clamp-2 text-sm wrap-anywhere text-muted">
                  {column.samples.length > 0 ? column.samples.join(' · ') : 'Empty in the first rows'}
                </p>
              </div>
              <SelectField
                id={`column-${index}`}
                name={`column-${index}`}
                label={`Field of ${name}`}
                className="[&_label]:sr-only"
                options={options}
                placeholder="Not imported"
                value={field ?? ''}
                onChange={({ target }) =>
                  onChoose(index, fields.find((name) => name === target.value) ?? null)
                }
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const dateFields = ['dateOfBirth', 'registrationDate', 'archivedDate'] as const

type Chosen = ImportMapping & { updateBy: UpdateKey | null }

function useMapping({ columns, mapping, guessedDateOrder, updateBy }: ImportDetails) {
  const [chosen, setChosen] = useState<Chosen>(() => {
    if (mapping) return { ...mapping, updateBy }
    const guesses = columns.map(({ guess }) => guess)
    return {
      columns: Object.fromEntries(guesses.map((guess, index) => [index, guess])),
      defaults: {},
      dateOrder: guessedDateOrder,
      // Only existing records have a reference code.
      updateBy: guesses.includes('reference') ? 'reference' : null,
    }
  })
  const [first] = useState(chosen)
  const fields = fieldsOfImport(chosen.updateBy)
  const taken = new Set(
    Object.values(chosen.columns).filter((field) => field !== null && fields.includes(field)),
  )
  const withoutColumn = chosen.updateBy ? [] : requiredImportFields.filter((field) => !taken.has(field))

  return {
    chosen,
    fields,
    isChanged: chosen !== first,
    withoutColumn,
    missing: withoutColumn.filter((field) => !chosen.defaults[field]?.trim()),
    missingKey: chosen.updateBy && !taken.has(chosen.updateBy) ? chosen.updateBy : null,
    hasDates: dateFields.some((field) => taken.has(field)),
    // A field belongs to one column.
    choose(index: number, field: ImportField | null) {
      const others = Object.entries(chosen.columns).map(([key, other]) => [
        key,
        field !== null && other === field ? null : other,
      ])
      setChosen({ ...chosen, columns: { ...Object.fromEntries(others), [index]: field } })
    },
    setDefault(field: ImportField, value: string) {
      setChosen({ ...chosen, defaults: { ...chosen.defaults, [field]: value } })
    },
    setUpdateBy(updateBy: UpdateKey | null) {
      setChosen({ ...chosen, updateBy })
    },
    setDateOrder(dateOrder: DateOrder) {
      setChosen({ ...chosen, dateOrder })
    },
    mapping(): Chosen & { defaults: Partial<Record<ImportField, string>> } {
      const defaults = withoutColumn.flatMap((field) => {
        const value = chosen.defaults[field]?.trim()
        return value ? [[field, value]] : []
      })
      return { ...chosen, defaults: Object.fromEntries(defaults) }
    },
  }
}

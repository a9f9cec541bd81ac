import { useNavigate } from 'react-router'
import type { ImportColumn, ImportDetails, ImportMapping } from '#shared/imports/import-response.ts'
import {
  fieldsOfImport,
  type ImportField,
  importFieldLabel,
  importSentences,
  requiredImportFields,
  type UpdateKey,
  updateKeyWords,
} from '#shared/imports/imports.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { FieldErrorText, SelectField } from '#web/components/field.tsx'
import { Form, useEditForm } from '#web/components/form.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ImportFieldControl } from './import-controls.tsx'
import { columnName, importPath } from './imports-data.ts'

const purposes = [
  { value: 'add', label: 'Add new students' },
  { value: 'reference', label: 'Update by reference code' },
  { value: 'studentId', label: 'Update by student ID' },
] as const

const dateOrderChoices = [
  { value: 'month-first', label: '05/13/2006' },
  { value: 'day-first', label: '13/05/2006' },
] as const

const dateFields = ['dateOfBirth', 'registrationDate', 'archivedDate'] as const

type Chosen = ImportMapping & { updateBy: UpdateKey | null; consent: boolean }

function firstChoice({ columns, mapping, guessedDateOrder, updateBy }: ImportDetails): Chosen {
  if (mapping) return { ...mapping, updateBy, consent: false }
  const guesses = columns.map(({ guess }) => guess)
  return {
    columns: Object.fromEntries(guesses.map((guess, index) => [index, guess])),
    defaults: {},
    dateOrder: guessedDateOrder,
    // Only existing records have a reference code.
    updateBy: guesses.includes('reference') ? 'reference' : null,
    consent: false,
  }
}

/** What the chosen columns leave open. */
function gapsOf({ columns, defaults, updateBy }: Chosen) {
  const fields = fieldsOfImport(updateBy)
  const taken = new Set(Object.values(columns).filter((field) => field !== null && fields.includes(field)))
  const withoutColumn = updateBy ? [] : requiredImportFields.filter((field) => !taken.has(field))
  return {
    fields,
    withoutColumn,
    missing: withoutColumn.filter((field) => !defaults[field]?.trim()),
    missingKey: updateBy && !taken.has(updateBy) ? updateBy : null,
    hasDates: dateFields.some((field) => taken.has(field)),
  }
}

export function ColumnsStep({ details }: { details: ImportDetails }) {
  const navigate = useNavigate()
  const form = useEditForm<Chosen, unknown>({
    values: firstChoice(details),
    failed: 'Failed to check the rows: ',
    controlId: (path) => `import-${path}`,
    problemsOf: ({ updateBy, consent }) =>
      updateBy || consent ? [] : [{ path: 'consent', message: importSentences.consent }],
    send({ consent: _confirmed, ...chosen }) {
      const defaults = gapsOf({ ...chosen, consent: true }).withoutColumn.flatMap((field) => {
        const value = chosen.defaults[field]?.trim()
        return value ? [[field, value]] : []
      })
      const json = { ...chosen, defaults: Object.fromEntries(defaults) }
      return callApi(
        api.imports[':id'].mapping.$put({
          param: { id: details.id },
          json: chosen.updateBy ? json : { ...json, consent: true },
        }),
      )
    },
    onSaved: () => void navigate(importPath(details.id), { replace: true }),
  })
  const { columns, defaults, dateOrder, updateBy } = form.values
  const { fields, withoutColumn, missing, missingKey, hasDates } = gapsOf(form.values)
  const consent = form.field('consent')
  const isSending = form.phase !== 'editing'

  // A field belongs to one column.
  function choose(index: number, field: ImportField | null) {
    const others = Object.entries(columns).map(([key, other]) => [key, other === field ? null : other])
    form.set('columns', { ...Object.fromEntries(others), [index]: field })
  }

  return (
    <Form form={form} className="flex flex-col gap-5">
      <div>
        <ChoiceButtons
          legend="Purpose of this file"
          choices={purposes}
          selected={updateBy ?? 'add'}
          onSelect={(purpose) => form.set('updateBy', purpose === 'add' ? null : purpose)}
        />
        {updateBy && (
          <p className="mt-2 text-sm text-muted">
            Each row updates the record with the same {updateKeyWords[updateBy]}. Empty cells are ignored. You
            review every old and new value before anything is saved.
          </p>
        )}
      </div>
      <ColumnList columns={details.columns} fields={fields} chosen={columns} onChoose={choose} />
      {hasDates && (
        <ChoiceButtons
          legend="Date format"
          choices={dateOrderChoices}
          selected={dateOrder}
          onSelect={(order) => form.set('dateOrder', order)}
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
                control={form.form.register(`defaults.${field}`)}
                value={defaults[field] ?? ''}
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
              {...form.form.register('consent')}
              type="checkbox"
              id="import-consent"
              className="mt-0.5 size-5 shrink-0 accent-primary"
              aria-invalid={consent.error !== undefined}
              aria-describedby={consent.error && 'import-consent-error'}
            />
            <span>
              I confirm that these students signed a paper consent to the NSTP office collecting and using
              their personal information (Republic Act 10173). This is noted in their records.
            </span>
          </label>
          {consent.error && <FieldErrorText id="import-consent-error">{consent.error}</FieldErrorText>}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={isSending || missingKey !== null}>
          {isSending ? 'Starting the check…' : 'Check the rows'}
        </Button>
      </div>
    </Form>
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

import { type ImportColumn, type ImportField, importFieldLabel } from '#shared/imports.ts'
import { Badge } from '#web/components/badge.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import { columnName } from './import-texts.ts'

interface ColumnListProps {
  columns: readonly ImportColumn[]
  /** What a column can be. */
  fields: readonly ImportField[]
  chosen: Readonly<Record<string, ImportField | null>>
  onChoose: (index: number, field: ImportField | null) => void
}

/** The columns of the file: heading, what the first rows hold, and the field it becomes. */
export function ColumnList({ columns, fields, chosen, onChoose }: ColumnListProps) {
  const options = fields.map((field) => ({ value: field, label: importFieldLabel(field) }))
  return (
    <section aria-labelledby="columns-title">
      <h2 id="columns-title" className="mb-2 text-lg font-semibold">
        What each column is
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
                  {field !== null && field === column.guess && <Badge tone="info">Guessed</Badge>}
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
                  onChoose(index, fields.find((known) => known === target.value) ?? null)
                }
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

import { useState } from 'react'
import {
  type DateOrder,
  type ImportDetails,
  type ImportField,
  type ImportMapping,
  requiredImportFields,
} from '#shared/imports.ts'

const dateFields = ['dateOfBirth', 'registrationDate', 'archivedDate'] as const

/** What is being chosen for the columns: as it was chosen last, or as the headings say. */
export function useMapping({ columns, mapping, guessedDateOrder }: ImportDetails) {
  const [chosen, setChosen] = useState<ImportMapping>(
    () =>
      mapping ?? {
        columns: Object.fromEntries(columns.map(({ guess }, index) => [index, guess])),
        defaults: {},
        dateOrder: guessedDateOrder,
      },
  )
  const [first] = useState(chosen)
  const taken = new Set(Object.values(chosen.columns).filter((field) => field !== null))
  /** Required fields without a column: they need one value for all rows. */
  const withoutColumn = requiredImportFields.filter((field) => !taken.has(field))

  return {
    chosen,
    /** Whether anything was chosen here, which only the check saves. */
    isChanged: chosen !== first,
    withoutColumn,
    missing: withoutColumn.filter((field) => !chosen.defaults[field]?.trim()),
    hasDates: dateFields.some((field) => taken.has(field)),
    /** A field belongs to one column: the one that had it before gives it up. */
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
    setDateOrder(dateOrder: DateOrder) {
      setChosen({ ...chosen, dateOrder })
    },
    /** What is sent: values for all rows only of fields that have no column. */
    mapping(): ImportMapping & { defaults: Partial<Record<ImportField, string>> } {
      const defaults = withoutColumn.flatMap((field) => {
        const value = chosen.defaults[field]?.trim()
        return value ? [[field, value]] : []
      })
      return { ...chosen, defaults: Object.fromEntries(defaults) }
    },
  }
}

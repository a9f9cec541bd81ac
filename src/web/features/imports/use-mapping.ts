import { useState } from 'react'
import {
  type DateOrder,
  fieldsOfImport,
  type ImportDetails,
  type ImportField,
  type ImportMapping,
  requiredImportFields,
  type UpdateKey,
} from '#shared/imports.ts'

const dateFields = ['dateOfBirth', 'registrationDate', 'archivedDate'] as const

type Chosen = ImportMapping & { updateBy: UpdateKey | null }

/** What is being chosen for the columns: as it was chosen last, or as the headings say. */
export function useMapping({ columns, mapping, guessedDateOrder, updateBy }: ImportDetails) {
  const [chosen, setChosen] = useState<Chosen>(() => {
    if (mapping) return { ...mapping, updateBy }
    const guesses = columns.map(({ guess }) => guess)
    return {
      columns: Object.fromEntries(guesses.map((guess, index) => [index, guess])),
      defaults: {},
      dateOrder: guessedDateOrder,
      // Only records that are here already have a reference code.
      updateBy: guesses.includes('reference') ? 'reference' : null,
    }
  })
  const [first] = useState(chosen)
  const fields = fieldsOfImport(chosen.updateBy)
  const taken = new Set(
    Object.values(chosen.columns).filter((field) => field !== null && fields.includes(field)),
  )
  /** Fields that every new student needs, without a column: they need one value for all rows. */
  const withoutColumn = chosen.updateBy ? [] : requiredImportFields.filter((field) => !taken.has(field))

  return {
    chosen,
    fields,
    /** Whether anything was chosen here, which only the check saves. */
    isChanged: chosen !== first,
    withoutColumn,
    missing: withoutColumn.filter((field) => !chosen.defaults[field]?.trim()),
    missingKey: chosen.updateBy && !taken.has(chosen.updateBy) ? chosen.updateBy : null,
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
    setUpdateBy(updateBy: UpdateKey | null) {
      setChosen({ ...chosen, updateBy })
    },
    setDateOrder(dateOrder: DateOrder) {
      setChosen({ ...chosen, dateOrder })
    },
    /** What is sent: values for all rows only of fields that have no column. */
    mapping(): Chosen & { defaults: Partial<Record<ImportField, string>> } {
      const defaults = withoutColumn.flatMap((field) => {
        const value = chosen.defaults[field]?.trim()
        return value ? [[field, value]] : []
      })
      return { ...chosen, defaults: Object.fromEntries(defaults) }
    },
  }
}

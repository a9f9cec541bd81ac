import type { StudentRecord } from '#shared/student.ts'
import { yearLevelLabel } from '#shared/student-choices.ts'
import { editableFields } from '#shared/student-edit.ts'
import type { StudentField } from '#shared/student-fields.ts'

/** What stands in the edit form: texts, the year level as its label. */
export type EditValues = Record<StudentField, string>

/** A field that somebody changed: what it was, what the other change made of it, what was typed here. */
export interface FieldDifference {
  field: StudentField
  was: string
  theirs: string
  mine: string
}

/** Two changes of one record, brought together. */
export interface EditMerge {
  /** What the form shows then: of a field that only one side changed, that side's value; else what was typed. */
  values: EditValues
  /** The fields that the other change has another value in than the form, in form order. */
  differences: FieldDifference[]
  /** Those of them that both sides changed: a person decides. */
  contested: StudentField[]
}

/** The fields of a record as the edit form has them. */
export function editValuesOf(record: Pick<StudentRecord, StudentField>): EditValues {
  const entries = editableFields.map((field) => [
    field,
    field === 'yearLevel' ? yearLevelLabel(record.yearLevel) : record[field],
  ])
  // The entries have exactly these names.
  return Object.fromEntries(entries) as EditValues
}

/** The fields that two sets of values differ in, in form order. Blanks around a text are no difference. */
export function differingFields(a: EditValues, b: EditValues): StudentField[] {
  return editableFields.filter((field) => a[field].trim() !== b[field].trim())
}

/**
 * Compares what was typed with what the record has become meanwhile.
 *
 * @param base the record as the form saw it
 * @param theirs the record as it is now
 * @param mine what stands in the form
 */
export function mergeEdits(base: EditValues, theirs: EditValues, mine: EditValues): EditMerge {
  const typed = new Set(differingFields(base, mine))
  const changed = differingFields(base, theirs)
  const differences = changed
    .filter((field) => theirs[field].trim() !== mine[field].trim())
    .map((field) => ({ field, was: base[field], theirs: theirs[field], mine: mine[field] }))
  const values = { ...mine }
  for (const field of changed) if (!typed.has(field)) values[field] = theirs[field]
  const contested = differences.map(({ field }) => field).filter((field) => typed.has(field))
  return { values, differences, contested }
}

import type { ImportDetails } from '#shared/imports/import-response.ts'
import type { ImportField } from '#shared/imports/imports.ts'
import { fieldChoices } from '#shared/students/student-choices.ts'

/** The options of a field that has a list. */
export function choicesOf(
  field: ImportField,
  { courses, academicYears }: ImportDetails['choices'],
): readonly string[] | undefined {
  const choices: Partial<Record<ImportField, readonly string[]>> = {
    ...fieldChoices,
    course: courses,
    academicYear: academicYears,
    archived: ['Yes', 'No'],
  }
  return choices[field]
}

import type { ImportDetails, ImportField } from '#shared/imports.ts'
import {
  bloodTypes,
  civilStatuses,
  heldYearLevelLabels,
  nstpComponents,
  sexes,
} from '#shared/student-choices.ts'

/** The values that a field can have; undefined for one that takes any text. */
export function choicesOf(
  field: ImportField,
  { courses, academicYears }: ImportDetails['choices'],
): readonly string[] | undefined {
  switch (field) {
    case 'sex':
      return sexes
    case 'civilStatus':
      return civilStatuses
    case 'bloodType':
      return bloodTypes
    case 'yearLevel':
      return heldYearLevelLabels
    case 'nstpComponent':
      return nstpComponents
    case 'course':
      return courses
    case 'academicYear':
      return academicYears
    case 'archived':
      return ['Yes', 'No']
    default:
      return undefined
  }
}

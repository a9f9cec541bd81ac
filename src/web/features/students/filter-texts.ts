import { yearLevelLabel } from '#shared/students/student-choices.ts'
import type { StudentFilters } from '#shared/students/students.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { periodText } from './period-texts.ts'

export const archiveLabels: Record<StudentFilters['archive'], string> = {
  all: 'All Students',
  active: 'Active Only',
  archived: 'Archived Only',
}

export const sexLabels: Record<StudentFilters['sex'], string> = {
  all: 'All Sexes',
  male: 'Male',
  female: 'Female',
  other: 'Other',
}

export const missingLabels: Record<StudentFilters['missing'], string> = {
  none: 'Any completeness',
  studentId: 'No Student ID',
  serialNumber: 'No Serial Number',
  bloodType: 'No Blood Type',
  zipCode: 'No ZIP Code',
  guardian: 'No Parent or Guardian',
  permission: 'Blocked or Consent Withdrawn',
  ownSerial: 'Serial Number of Two Students',
}

/** The text that says which students a list has with these filters: 'of 2023-2024 · ROTC · Male'. */
export function filtersText(filters: StudentFilters): string {
  const { academicYear, component, period, course, sex, yearLevel, missing, network, duplicates, search } =
    filters
  const parts = [
    academicYear === 'all' ? 'of all academic years' : `of ${academicYear}`,
    component !== 'all' && component,
    period !== 'all-time' && periodText(period),
    course !== 'all' && course,
    sex !== 'all' && sexLabels[sex],
    yearLevel !== 'all' && yearLevelLabel(Number(yearLevel)),
    missing !== 'none' && missingLabels[missing],
    network !== 'all' && network,
    duplicates === 'only' && 'Possible duplicates',
    search !== '' && `Search “${search}”`,
  ]
  return factsText(...parts)
}

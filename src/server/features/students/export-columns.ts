import type { Column } from '#server/spreadsheet/workbook.ts'
import { type Restriction, restrictionLabels } from '#shared/privacy/privacy.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import type { StudentRow } from './repository.ts'

const widths = { least: 10, most: 40 } as const

export const studentColumns: readonly Column<StudentRow>[] = [
  { header: 'Reference', width: 16, kind: 'text', value: (student) => student.reference },
  { header: 'Registration Date', width: 18, kind: 'instant', value: (student) => student.registrationDate },
  ...studentFieldNames.map(fieldColumn),
  { header: 'Status', width: 12, kind: 'text', value: (student) => student.status },
  { header: 'Archived', width: 10, kind: 'text', value: (student) => (student.archived ? 'Yes' : 'No') },
  { header: 'Archived Date', width: 18, kind: 'instant', value: (student) => student.archivedDate },
  {
    header: 'Restriction',
    width: 18,
    kind: 'text',
    value: (student) => restrictionText(student.restriction),
  },
  { header: 'Privacy Consent', width: 18, kind: 'instant', value: (student) => student.consentedAt },
  { header: 'Consent Text Version', width: 22, kind: 'text', value: (student) => student.consentVersion },
  { header: 'Guardian Consent', width: 18, kind: 'instant', value: (student) => student.guardianConsentedAt },
]

const restrictionText = (restriction: Restriction | null) =>
  restriction ? restrictionLabels[restriction] : ''

function fieldColumn(field: StudentField): Column<StudentRow> {
  const { label, max } = fieldDefinition(field)
  const width = Math.min(widths.most, Math.max(widths.least, label.length + 4, Math.round(max / 5)))
  if (field === 'yearLevel') {
    return { header: label, width, kind: 'number', value: (student) => student.yearLevel }
  }
  if (field === 'dateOfBirth') {
    return { header: label, width, kind: 'date', value: (student) => student.dateOfBirth }
  }
  return { header: label, width, kind: 'text', value: (student) => student[field] }
}

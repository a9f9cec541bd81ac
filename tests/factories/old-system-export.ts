import type { StudentField } from '#shared/students/student-fields.ts'
import { buildRegistration } from './registration.ts'

type ExportedRecord = Partial<Record<StudentField | 'birthdate' | 'gender', unknown>> &
  Record<string, unknown>

/** A student as in the old system's database: two fields and the dates have other names. */
export function buildExportedRecord(overrides: ExportedRecord = {}): ExportedRecord {
  const { consent: _consent, dateOfBirth, sex, serialNumber: _none, ...fields } = buildRegistration()
  return {
    ...fields,
    birthdate: dateOfBirth,
    gender: sex,
    yearLevel: 2,
    registrationDate: '2025-08-03T17:30:15.250Z',
    status: 'Registered',
    archived: false,
    archivedDate: null,
    ...overrides,
  }
}

export function keyById(records: readonly ExportedRecord[]): Record<string, ExportedRecord> {
  return Object.fromEntries(
    records.map((record, index) => [`-OAbCdEfGh${String(index).padStart(9, '0')}`, record]),
  )
}

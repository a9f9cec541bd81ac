import type { StudentListItem, StudentRecord } from '#shared/student.ts'
import type { StudentListRow } from './page-repository.ts'
import type { StudentRow } from './repository.ts'

/** A line of the list as the API gives it out. */
export function presentListItem(row: StudentListRow): StudentListItem {
  return {
    id: row.id,
    lastName: row.lastName,
    firstName: row.firstName,
    middleName: row.middleName,
    sex: row.sex,
    course: row.course,
    academicYear: row.academicYear,
    contactNumber: row.contactNumber,
    email: row.email,
    nstpComponent: row.nstpComponent,
    archived: row.archived,
    archivedDate: row.archivedDate?.toISOString() ?? null,
    emergencyContactName: row.emergencyContactName,
    emergencyContactNumber: row.emergencyContactNumber,
    registrationDate: row.registrationDate.toISOString(),
    isDuplicate: row.isDuplicate,
  }
}

/** A whole record as the API gives it out. */
export function presentRecord(row: StudentRow): StudentRecord {
  return {
    ...row,
    registrationDate: row.registrationDate.toISOString(),
    archivedDate: row.archivedDate?.toISOString() ?? null,
    consentedAt: row.consentedAt.toISOString(),
  }
}

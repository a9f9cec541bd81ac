import type { StudentRecord } from '#shared/student.ts'
import { yearLevelLabel } from '#shared/student-choices.ts'
import type { SheetField } from './sheet-parts.tsx'
import { paragraph, type WrittenMeasure, writtenDay, writtenHeight, writtenWeight } from './sheet-text.ts'

/** Rows that both sheets print from the record. */

export function nameFields({ lastName, firstName, middleName }: StudentRecord): SheetField[] {
  return [
    { label: 'Last name', width: 4, value: lastName },
    { label: 'First name', width: 4, value: firstName },
    { label: 'Middle name', width: 4, value: middleName },
  ]
}

export function addressFields({ address, municipalCity, zipCode }: StudentRecord): SheetField[] {
  return [
    { label: 'Home address', width: 6, value: address },
    { label: 'Municipality / city', width: 4, value: municipalCity },
    { label: 'ZIP code', width: 2, value: zipCode },
  ]
}

/** The labels name the unit, so a text that couldn't be converted says whose words it is. */
function measure(label: string, { text, asStated }: WrittenMeasure): SheetField {
  const value = asStated ? (
    <>
      {text} <small>(as stated)</small>
    </>
  ) : (
    text
  )
  return { label, width: 2, value }
}

export function heightField({ height }: StudentRecord): SheetField {
  return measure('Height (cm)', writtenHeight(height))
}

export function weightField({ weight }: StudentRecord): SheetField {
  return measure('Weight (kg)', writtenWeight(weight))
}

export function enlistmentFields(student: StudentRecord, timeZone: string): SheetField[][] {
  return [
    [
      { label: 'Student ID', width: 4, value: student.studentId },
      { label: 'Course', width: 4, value: student.course },
      { label: 'Year level', width: 4, value: yearLevelLabel(student.yearLevel) },
    ],
    [
      { label: 'NSTP component', width: 3, value: student.nstpComponent },
      { label: 'Academic year', width: 3, value: student.academicYear },
      { label: 'NSTP serial number', width: 3, value: student.serialNumber },
      { label: 'Date of registration', width: 3, value: writtenDay(student.registrationDate, timeZone) },
    ],
  ]
}

export const familyColumns = ['Relation', 'Name', 'Occupation'] as const

export function parentRows(student: StudentRecord): string[][] {
  return [
    ['Father', student.fatherName, student.fatherOccupation],
    ['Mother', student.motherName, student.motherOccupation],
  ]
}

export function guardianFields(student: StudentRecord): SheetField[][] {
  return [
    [
      { label: 'Guardian', width: 6, value: student.guardianName },
      { label: 'Relationship', width: 3, value: student.guardianRelationship },
      { label: 'Contact number of the guardian', width: 3, value: student.guardianContactNumber },
    ],
    [{ label: 'Address of the guardian', width: 12, value: student.guardianAddress }],
  ]
}

export function emergencyFields(student: StudentRecord): SheetField[][] {
  return [
    [
      { label: 'Name', width: 4, value: student.emergencyContactName },
      { label: 'Contact number', width: 3, value: student.emergencyContactNumber },
      { label: 'Address', width: 5, value: student.emergencyContactAddress },
    ],
  ]
}

export const schoolColumns = ['Level', 'School', 'Year graduated'] as const

export function schoolRows(student: StudentRecord): string[][] {
  return [
    ['Elementary', student.elementarySchool, student.elementaryYearGraduated],
    ['High school', student.highSchool, student.highSchoolYearGraduated],
    ['College', student.college, student.collegeYearGraduated],
  ]
}

/** A field with room for sentences. */
export function textField(label: string, width: number, text: string): SheetField {
  return { label, width, value: paragraph(text) }
}

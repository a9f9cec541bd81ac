import * as z from 'zod/mini'
import { fieldMessages, fieldText, hasName, oneOf, shapeError } from '#shared/field-rules.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { birthDateProblem } from '#shared/registration/registration.ts'
import { nstpComponents, storedYearLevelLabels, yearLevelLabel } from './student-choices.ts'
import { everyField, type StudentField, studentFieldNames } from './student-fields.ts'
import type { StudentRecord } from './student-response.ts'

// The fields that the office edits most, in the order of the form (product 9.7).
export const firstEditFields = [
  'studentId',
  'firstName',
  'middleName',
  'lastName',
  'sex',
  'course',
  'contactNumber',
  'email',
  'nstpComponent',
  'emergencyContactName',
  'emergencyContactNumber',
  'address',
] as const satisfies readonly StudentField[]

export const editableFields: StudentField[] = [
  ...new Set<StudentField>([...firstEditFields, ...studentFieldNames]),
]

/** What can be changed of many students at once. */
export const bulkFields = [
  'nstpComponent',
  'course',
  'yearLevel',
  'academicYear',
] as const satisfies readonly StudentField[]

/** A change of one of these takes a record off a list, so that an encoder may not make it: `students.change`. */
export const changersFields: readonly StudentField[] = ['nstpComponent', 'academicYear', 'serialNumber']

export type BulkField = (typeof bulkFields)[number]

export interface EditBasis {
  courses: readonly string[]
  academicYears: readonly string[]
  registered: CalendarDate
  stored: Pick<StudentRecord, StudentField>
}

const shape = shapeError(
  "An edit is one object with fields of a student's record.",
  (names) => `These fields can't be edited: ${names}.`,
)

export const studentEditSchema = z.strictObject(
  {
    ...everyField((field) => z.optional(z.string(fieldMessages.notText(field))), editableFields),
    // The year level may be as in a record (1), or as in the registration ('1st Year').
    yearLevel: z.optional(z.union([z.string(), z.number()], fieldMessages.notText('yearLevel'))),
  },
  shape,
)

export type StudentEdit = z.infer<typeof studentEditSchema>

/**
 * Registration's rules plus LTS, the fifth year, and other courses and years. Stored values of the record always pass.
 * @param basis read at each validation
 */
export function createStudentEditSchema(basis: Readonly<EditBasis>) {
  const isUnchanged = (field: StudentField) => (value: string) => value === String(basis.stored[field]).trim()
  const withCheck = (field: StudentField, check: (value: string) => string | undefined) =>
    z.optional(fieldText(field, { check, isUnchanged: isUnchanged(field) }))
  const choice = (field: StudentField, choices: () => readonly string[]) =>
    withCheck(field, oneOf(field, choices))
  const shapeOfEdit = z.strictObject(
    {
      ...everyField(
        (field) => z.optional(fieldText(field, { isUnchanged: isUnchanged(field) })),
        editableFields,
      ),
      course: choice('course', () => basis.courses),
      nstpComponent: choice('nstpComponent', () => nstpComponents),
      dateOfBirth: withCheck('dateOfBirth', (value) => birthDateProblem(value, basis.registered)),
      yearLevel: z.optional(yearLevel),
      academicYear: choice('academicYear', () => basis.academicYears),
    },
    shape,
  )
  return shapeOfEdit.check(
    z.refine(
      ({ lastName, firstName }) =>
        hasName(lastName ?? basis.stored.lastName, firstName ?? basis.stored.firstName) ||
        !hasName(basis.stored.lastName, basis.stored.firstName),
      { path: ['lastName'], error: fieldMessages.required('lastName') },
    ),
  )
}

const yearLevel = z.pipe(
  z.transform((value: string | number) => (typeof value === 'number' ? yearLevelLabel(value) : value)),
  z.pipe(
    fieldText('yearLevel', { check: oneOf('yearLevel', () => storedYearLevelLabels) }),
    z.transform((label: string) => storedYearLevelLabels.indexOf(label) + 1),
  ),
)

export type ValidStudentEdit = z.output<ReturnType<typeof createStudentEditSchema>>

export function changedFields(edit: ValidStudentEdit, stored: EditBasis['stored']): StudentField[] {
  return editableFields.filter((field) => edit[field] !== undefined && edit[field] !== stored[field])
}

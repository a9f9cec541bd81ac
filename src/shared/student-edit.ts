import * as z from 'zod/mini'
import { type FieldCheck, fieldMessages, fieldText, oneOf } from './field-rules.ts'
import type { StudentRecord } from './student.ts'
import { registrationComponents } from './student-choices.ts'

/** Exactly the fields that an administrator may change (spec §2 Edit modal), in the order of the form. */
export const editableFields = [
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
] as const

export type EditableField = (typeof editableFields)[number]

/** A change of a record: any of the editable fields. */
export type StudentEdit = { [Field in EditableField]?: string | undefined }

/** What an edit goes by. */
export interface EditBasis {
  courses: readonly string[]
  /** The record as it is. */
  held: Pick<StudentRecord, EditableField>
}

const editMessages = {
  shape: 'An edit is one object with fields of the edit form.',
  unknown: (names: string[]) => `These fields can't be edited: ${names.join(', ')}.`,
}

const objectError = {
  error: (issue: { code: string; keys?: string[] }) =>
    issue.code === 'unrecognized_keys' ? editMessages.unknown(issue.keys ?? []) : editMessages.shape,
}

const everyField = <T>(of: (field: EditableField) => T) =>
  // Typed by hand because fromEntries forgets the keys; they are those of the list it is made from.
  Object.fromEntries(editableFields.map((field) => [field, of(field)])) as Record<EditableField, T>

/** What an edit looks like, before it is known which record it is about. */
export const studentEditShape = z.strictObject(
  everyField((field) => z.optional(z.string(fieldMessages.notText(field)))),
  objectError,
)

/**
 * An edit with the rules and sentences of the registration. What the record already holds always passes: lists
 * are settings, records keep the values of their time.
 */
export function createStudentEditSchema({ courses, held }: EditBasis) {
  const checks: { [Field in EditableField]?: FieldCheck } = {
    course: oneOf('course', () => courses),
    nstpComponent: oneOf('nstpComponent', () => registrationComponents),
  }
  return z.strictObject(
    everyField((field) => {
      const check = checks[field]
      const isKept = (value: string) => value === held[field]
      return z.optional(fieldText(field, check ? { check, isKept } : { isKept }))
    }),
    objectError,
  )
}

/** The fields that an edit really changes, in form order. */
export function changedFields(edit: StudentEdit, held: EditBasis['held']): EditableField[] {
  return editableFields.filter((field) => edit[field] !== undefined && edit[field] !== held[field])
}

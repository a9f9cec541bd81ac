import type { ComponentProps } from 'react'
import type { StudentField } from '#shared/student-fields.ts'

type Attributes = Pick<
  ComponentProps<'input'>,
  'type' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck' | 'placeholder'
>

interface TextControl extends Attributes {
  hint?: string
  /** Columns of six that it takes where there is room. */
  columns: 2 | 3 | 4 | 6
  /** Two of these share a line even on a phone. */
  isShort?: boolean
}

// `off` where the browser would fill in the student's own name or number in place of somebody else's.
const someoneElse = { autoComplete: 'off' } as const
const name = { ...someoneElse, autoCapitalize: 'words', spellCheck: false } as const
const phone = { type: 'tel', inputMode: 'tel' } as const
const code = { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false } as const
const year = { ...someoneElse, inputMode: 'numeric', placeholder: 'YYYY' } as const

/** Keyboards, autofill and width of the fields that are one line of text. */
export const textControls = {
  lastName: { ...name, autoComplete: 'family-name', columns: 2 },
  firstName: { ...name, autoComplete: 'given-name', columns: 2 },
  middleName: { ...name, autoComplete: 'additional-name', columns: 2 },
  address: {
    autoComplete: 'address-line1',
    autoCapitalize: 'words',
    hint: 'House number, street, barangay',
    columns: 6,
  },
  zipCode: { autoComplete: 'postal-code', inputMode: 'numeric', columns: 3 },
  socialSecurityNumber: {
    ...code,
    inputMode: 'numeric',
    hint: 'SSS number, if you have one',
    columns: 3,
  },
  placeOfBirth: {
    autoComplete: 'off',
    autoCapitalize: 'words',
    hint: 'Municipality or city, province',
    columns: 6,
  },
  contactNumber: { ...phone, autoComplete: 'tel', hint: 'For example 0917 123 4567', columns: 3 },
  email: {
    type: 'email',
    inputMode: 'email',
    autoComplete: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    hint: 'Where we can write to you',
    columns: 3,
  },
  citizenship: { autoComplete: 'off', autoCapitalize: 'words', hint: 'For example Filipino', columns: 3 },
  religion: { autoComplete: 'off', autoCapitalize: 'words', columns: 3 },
  height: { autoComplete: 'off', hint: '5\'6" or 168 cm', columns: 2, isShort: true },
  weight: { autoComplete: 'off', hint: '130 lbs or 59 kg', columns: 2, isShort: true },
  studentId: { ...code, columns: 3 },
  serialNumber: {
    ...code,
    hint: 'Leave it empty: it comes after graduation',
    columns: 2,
  },
  fatherName: { ...name, columns: 3 },
  fatherOccupation: { ...someoneElse, columns: 3 },
  motherName: { ...name, columns: 3 },
  motherOccupation: { ...someoneElse, columns: 3 },
  guardianName: { ...name, columns: 3 },
  guardianRelationship: { ...someoneElse, hint: 'For example aunt', columns: 3 },
  guardianAddress: { ...someoneElse, autoCapitalize: 'words', columns: 4 },
  guardianContactNumber: { ...phone, ...someoneElse, columns: 2 },
  elementarySchool: { ...someoneElse, autoCapitalize: 'words', columns: 4 },
  elementaryYearGraduated: { ...year, columns: 2 },
  highSchool: { ...someoneElse, autoCapitalize: 'words', columns: 4 },
  highSchoolYearGraduated: { ...year, columns: 2 },
  college: { ...someoneElse, autoCapitalize: 'words', hint: 'An earlier one, if any', columns: 4 },
  collegeYearGraduated: { ...year, columns: 2 },
  emergencyContactName: { ...name, columns: 3 },
  emergencyContactNumber: { ...phone, ...someoneElse, columns: 3 },
  emergencyContactAddress: { ...someoneElse, autoCapitalize: 'words', columns: 6 },
} satisfies Partial<Record<StudentField, TextControl>>

export type TextFieldName = keyof typeof textControls

/** The control of a text field, widened so that optional members can be read. */
export function textControl(field: TextFieldName): TextControl {
  return textControls[field]
}

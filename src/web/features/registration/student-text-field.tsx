import { clsx } from 'clsx'
import { type ComponentProps, type MouseEvent, type ReactNode, useContext } from 'react'
import type { StudentField } from '#shared/students/student-fields.ts'
import { TextAreaField, TextField } from '#web/components/field.tsx'
import { fieldContext, setAnswer, useStudentField } from './form-values.ts'

// The grid has six columns. On a phone a field takes all of them, a short one half.
const columnSpans = {
  2: 'sm:col-span-2',
  3: 'sm:col-span-3',
  4: 'sm:col-span-4',
  6: 'sm:col-span-6',
} as const

export function StudentTextField({ name, hint }: { name: TextFieldName; hint?: ReactNode }) {
  const { values, label, required, error } = useStudentField(name)
  const { columns, isShort, hint: usualHint, ...control } = textControl(name)
  return (
    <TextField
      {...control}
      name={name}
      label={label}
      hint={hint ?? usualHint}
      required={required}
      error={error}
      defaultValue={values[name] ?? ''}
      enterKeyHint="next"
      className={clsx(isShort ? 'col-span-3' : 'col-span-6', columnSpans[columns])}
    />
  )
}

export function EmailField() {
  const { mailDomain } = useContext(fieldContext)

  function takeDomain({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) {
    const control = currentTarget.form?.elements.namedItem('email')
    if (!mailDomain || !(control instanceof HTMLInputElement)) return
    setAnswer(control, control.value.slice(0, control.value.lastIndexOf('@') + 1) + mailDomain)
    // The button goes. A finger's press must not bring up the phone's keyboard, a key's must not lose its place.
    if (detail === 0) control.focus()
  }

  const question = mailDomain && (
    <button
      type="button"
      onClick={takeDomain}
      className="-mt-1.5 -mb-3 inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
    >
      {mailQuestion(mailDomain)}
    </button>
  )
  return <StudentTextField name="email" hint={question} />
}

export function StudentTextArea({
  name,
  hint,
  className,
}: {
  name: 'workExperience' | 'skills' | 'hobbies'
  hint: string
  className: string
}) {
  const { values, label, error } = useStudentField(name)
  return (
    <TextAreaField
      name={name}
      label={label}
      hint={hint}
      error={error}
      defaultValue={values[name] ?? ''}
      className={className}
    />
  )
}

type Attributes = Pick<
  ComponentProps<'input'>,
  'type' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck' | 'placeholder'
>

interface TextControl extends Attributes {
  hint?: string
  columns: 2 | 3 | 4 | 6
  isShort?: boolean
}

// `off` where the browser would fill in the student's own name or number in place of another person's.
const someoneElse = { autoComplete: 'off' } as const
const name = { ...someoneElse, autoCapitalize: 'words', spellCheck: false } as const
const phone = { type: 'tel', inputMode: 'tel' } as const
const code = { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false } as const
const year = { ...someoneElse, inputMode: 'numeric', placeholder: 'YYYY' } as const

const textControls = {
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
    hint: 'We’ll send your confirmation here',
    columns: 3,
  },
  citizenship: { autoComplete: 'off', autoCapitalize: 'words', hint: 'For example Filipino', columns: 3 },
  religion: { autoComplete: 'off', autoCapitalize: 'words', columns: 3 },
  height: { autoComplete: 'off', hint: '5\'6" or 168 cm', columns: 2, isShort: true },
  weight: { autoComplete: 'off', hint: '130 lbs or 59 kg', columns: 2, isShort: true },
  studentId: { ...code, columns: 3 },
  serialNumber: {
    ...code,
    hint: 'Assigned after graduation; leave blank',
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
  college: {
    ...someoneElse,
    autoCapitalize: 'words',
    hint: 'A college you attended before this one, if any',
    columns: 4,
  },
  collegeYearGraduated: { ...year, columns: 2 },
  emergencyContactName: { ...name, columns: 3 },
  emergencyContactNumber: { ...phone, ...someoneElse, columns: 3 },
  emergencyContactAddress: { ...someoneElse, autoCapitalize: 'words', columns: 6 },
} satisfies Partial<Record<StudentField, TextControl>>

type TextFieldName = keyof typeof textControls

function textControl(field: TextFieldName): TextControl {
  return textControls[field]
}

// In the order of use, which decides between two of the same distance.
const commonDomains = [
  'gmail.com',
  'yahoo.com',
  'yahoo.com.ph',
  'outlook.com',
  'hotmail.com',
  'icloud.com',
  'ymail.com',
  'rocketmail.com',
  'googlemail.com',
  'protonmail.com',
]

// Real domains that resemble a common one.
const similarDomains = new Set([
  'mail.com',
  'email.com',
  'gmx.com',
  'yahoo.ca',
  'yahoo.cn',
  'yahoo.co.th',
  'hotmail.ca',
  'hotmail.ch',
  'outlook.ch',
  'outlook.cl',
  'outlook.cz',
  ...'ar au br cn co hk mx my pe sg tr tw ua uy ve vn'.split(' ').map((country) => `yahoo.com.${country}`),
])

// Edits; two swapped letters count as two.
const greatestDistance = 2

/**
 * The common domain that an address probably means; undefined when its own is right or unlike any.
 */
export function meantMailDomain(address: string): string | undefined {
  const [, domain] = /@([^@]+)$/.exec(address.trim().toLowerCase()) ?? []
  if (domain === undefined || commonDomains.includes(domain) || similarDomains.has(domain)) return undefined
  let meant: string | undefined
  let least = greatestDistance + 1
  for (const common of commonDomains) {
    // Also a limit: the comparison takes time by both lengths.
    if (Math.abs(common.length - domain.length) > greatestDistance) continue
    const distance = editDistance(domain, common)
    if (distance < least) [meant, least] = [common, distance]
  }
  return meant
}

export function mailQuestion(domain: string): string {
  return `Did you mean ${domain}?`
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    let left = index + 1
    const next = [left]
    for (const [column, wanted] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1)
      left = Math.min(replaced, left + 1, (row[column + 1] ?? 0) + 1)
      next.push(left)
    }
    row = next
  }
  return row.at(-1) ?? 0
}

import { createContext } from 'react'
import type { RegistrationBody } from '#shared/registration/registration.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { composeBirthDate } from '#web/lib/birth-date.ts'
import { newKey } from '#web/lib/older-browsers.ts'

export const birthDateNames = ['birthMonth', 'birthDay', 'birthYear'] as const

type ControlName = Exclude<StudentField, 'dateOfBirth'> | (typeof birthDateNames)[number]

/** The controls in form order. The date of birth has three. */
export const controlNames: readonly ControlName[] = studentFieldNames.flatMap((field): ControlName[] =>
  field === 'dateOfBirth' ? [...birthDateNames] : [field],
)

/** The text of each control. A consent is '' or 'true'. The guardian's consent and the code are absent if they aren't asked for. */
export type FormValues = Record<ControlName | 'consent', string> & {
  guardianConsent?: string
  dayCode?: string
}

export function valuesOf(form: FormData): FormValues {
  const names = [...controlNames, 'consent'] as const
  const entries = names.map((name) => [name, textOf(form, name)])
  for (const name of ['guardianConsent', 'dayCode']) {
    if (form.has(name)) entries.push([name, textOf(form, name)])
  }
  // The entries have exactly these names.
  return Object.fromEntries(entries) as FormValues
}

export function bodyOf(values: FormValues): RegistrationBody {
  const answers = studentFieldNames.map((field): [StudentField, string] => [
    field,
    field === 'dateOfBirth' ? composeBirthDate(values) : values[field],
  ])
  return {
    ...Object.fromEntries(answers),
    ...(values.consent === 'true' ? { consent: true } : {}),
    ...(values.guardianConsent === 'true' ? { guardianConsent: true } : {}),
    ...(values.dayCode === undefined ? {} : { dayCode: values.dayCode }),
  }
}

/** '' when it is absent or a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  // A posted form has CRLF where a script reads LF. Both must give the same record.
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''
}

interface FieldContext {
  /** Preset by the office, or after a refused plain post everything that was typed. */
  values: Partial<FormValues>
  errors: ReadonlyMap<string, string>
  /** Whether the birth date is a minor's. Undefined until scripts read the date, unless a refused post was a minor's. */
  isMinor?: boolean | undefined
  mailDomain?: string | undefined
}

export const fieldContext = createContext<FieldContext>({ values: {}, errors: new Map() })

/** Sets the value and fires the events of typing. */
export function setAnswer(control: HTMLInputElement, value: string) {
  control.value = value
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

// The format of the API's Idempotency-Key.
const keyPattern = /^[\w-]{16,128}$/

/** A key that the API would refuse is replaced: it must not cost the answers. */
export function submissionKeyOf(form: FormData): string {
  const key = textOf(form, 'idempotencyKey')
  return keyPattern.test(key) ? key : newKey()
}

export function mailQuestion(domain: string): string {
  return `Did you mean ${domain}?`
}

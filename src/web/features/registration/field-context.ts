import { createContext, useContext } from 'react'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import type { FormValues } from './form-values.ts'

interface FieldContext {
  /** What the form starts with: what the office has set, or after a refused plain post all that was typed. */
  values: Partial<FormValues>
  /** The sentence of each field that breaks a rule. */
  errors: ReadonlyMap<string, string>
  /** What the domain of the e-mail address was probably meant to be. */
  mailDomain?: string | undefined
}

export const fieldContext = createContext<FieldContext>({ values: {}, errors: new Map() })

/** What a field of the form shows besides its control. Its control has the field's name as id. */
export function useStudentField(field: StudentField) {
  const { values, errors } = useContext(fieldContext)
  const { label, required } = fieldDefinition(field)
  return { values, label, required: required ?? false, error: errors.get(field) }
}

/** Fills a control in and lets the form notice, as typing does. */
export function setAnswer(control: HTMLInputElement, value: string) {
  control.value = value
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

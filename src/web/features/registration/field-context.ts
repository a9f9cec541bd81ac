import { createContext, useContext } from 'react'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import type { FormValues } from './form-values.ts'

interface FieldContext {
  /** Preset by the office, or after a refused plain post everything that was typed. */
  values: Partial<FormValues>
  errors: ReadonlyMap<string, string>
  mailDomain?: string | undefined
}

export const fieldContext = createContext<FieldContext>({ values: {}, errors: new Map() })

export function useStudentField(field: StudentField) {
  const { values, errors } = useContext(fieldContext)
  const { label, required } = fieldDefinition(field)
  return { values, label, required: required ?? false, error: errors.get(field) }
}

/** Sets the value and fires the events of typing. */
export function setAnswer(control: HTMLInputElement, value: string) {
  control.value = value
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

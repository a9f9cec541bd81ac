import type { ComponentProps } from 'react'
import type { FieldError } from '#shared/problem.ts'
import type { StudentRecord } from '#shared/student.ts'
import { registrationComponents, sexes } from '#shared/student-choices.ts'
import type { EditableField } from '#shared/student-edit.ts'
import { fieldDefinition } from '#shared/student-fields.ts'
import { SelectField } from '#web/components/select-field.tsx'
import { TextField } from '#web/components/text-field.tsx'
import type { EditValues } from './edit-conflict.ts'

type Attributes = Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'autoCapitalize'>

const name: Attributes = { autoCapitalize: 'words' }
const phone: Attributes = { type: 'tel', inputMode: 'tel' }

/** The keyboards of the fields that are a line of text. The others are choices. */
const textAttributes: Partial<Record<EditableField, Attributes>> = {
  firstName: name,
  middleName: name,
  lastName: name,
  contactNumber: phone,
  email: { type: 'email', inputMode: 'email', autoCapitalize: 'none' },
  emergencyContactName: name,
  emergencyContactNumber: phone,
  address: name,
}

/** The rows of the form where there is room: fields side by side, in the order of spec §2. */
const rows: readonly { fields: readonly EditableField[]; columns: string }[] = [
  { fields: ['firstName', 'middleName', 'lastName'], columns: 'sm:grid-cols-3' },
  { fields: ['sex', 'course'], columns: 'sm:grid-cols-2' },
  { fields: ['contactNumber', 'email'], columns: 'sm:grid-cols-2' },
  {
    fields: ['nstpComponent', 'emergencyContactName', 'emergencyContactNumber'],
    // The label of the last is the longest.
    columns: 'sm:grid-cols-[7fr_10fr_11fr]',
  },
  { fields: ['address'], columns: '' },
]

interface EditFieldsProps {
  values: EditValues
  /** The record as it is: what it holds can always be chosen, also when it is no longer on offer. */
  held: StudentRecord
  courses: readonly string[]
  errors: readonly FieldError[]
  onChange: (field: EditableField, value: string) => void
}

/** The id of a field's control in the edit form. */
export function editFieldId(field: string): string {
  return `edit-${field}`
}

/** The fields of the edit form, exactly those of spec §2. */
export function EditFields({ values, held, courses, errors, onChange }: EditFieldsProps) {
  const choices: Partial<Record<EditableField, readonly string[]>> = {
    sex: sexes,
    course: courses,
    nstpComponent: registrationComponents,
  }
  return rows.map(({ fields, columns }) => (
    <div key={fields.join()} className={`grid items-start gap-4 ${columns}`}>
      {fields.map((field) => {
        const { label, required } = fieldDefinition(field)
        const common = {
          id: editFieldId(field),
          name: field,
          label,
          required,
          error: errors.find(({ path }) => path === field)?.message,
          value: values[field],
          autoComplete: 'off',
        }
        const offered = choices[field]
        return offered ? (
          <SelectField
            key={field}
            {...common}
            options={withHeld(offered, held[field])}
            {...(held[field] === '' ? { placeholder: 'Choose…' } : {})}
            onChange={({ target }) => onChange(field, target.value)}
          />
        ) : (
          <TextField
            key={field}
            {...common}
            {...textAttributes[field]}
            spellCheck={false}
            onChange={({ target }) => onChange(field, target.value)}
          />
        )
      })}
    </div>
  ))
}

function withHeld(offered: readonly string[], held: string): readonly string[] {
  return held === '' || offered.includes(held) ? offered : [...offered, held]
}

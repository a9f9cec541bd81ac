import { clsx } from 'clsx'
import { TextAreaField, TextField } from '#web/components/text-field.tsx'
import { useStudentField } from './field-context.ts'
import { type TextFieldName, textControl } from './field-controls.ts'

// The grid has six columns. On a phone a field takes all of them, a short one half.
const columnSpans = {
  2: 'sm:col-span-2',
  3: 'sm:col-span-3',
  4: 'sm:col-span-4',
  6: 'sm:col-span-6',
} as const

/** A field of one line, with the keyboard and the autofill that fit it. */
export function StudentTextField({ name }: { name: TextFieldName }) {
  const { values, label, required, error } = useStudentField(name)
  const { columns, isShort, ...control } = textControl(name)
  return (
    <TextField
      {...control}
      name={name}
      label={label}
      required={required}
      error={error}
      defaultValue={values[name] ?? ''}
      enterKeyHint="next"
      className={clsx(isShort ? 'col-span-3' : 'col-span-6', columnSpans[columns])}
    />
  )
}

/** A field of several lines. */
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

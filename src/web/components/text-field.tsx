import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Field, type LabelledProps, partProps } from './field.tsx'

type TextFieldProps = Omit<ComponentProps<'input'>, keyof LabelledProps> & LabelledProps

/** One line of text with its label, hint and error. */
export function TextField(props: TextFieldProps) {
  const { field, control, size } = partProps(props)
  return (
    <Field {...field}>
      {(wiring) => <input type="text" {...wiring} {...control} className={clsx('control', size)} />}
    </Field>
  )
}

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, keyof LabelledProps> & LabelledProps

/** Several lines of text with their label, hint and error. */
export function TextAreaField(props: TextAreaFieldProps) {
  const { field, control, size } = partProps(props)
  return (
    <Field {...field}>
      {(wiring) => <textarea rows={3} {...wiring} {...control} className={clsx('control py-2', size)} />}
    </Field>
  )
}

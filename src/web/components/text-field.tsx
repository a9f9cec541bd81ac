import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'

type Density = 'comfortable' | 'compact'

/** Comfortable controls are touch targets of 44 px. 16-px text keeps iPhones from zooming into the field. */
export function controlSize(density: Density): string {
  return density === 'compact' ? 'min-h-9 text-sm' : 'min-h-11 text-base'
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'id' | 'required' | 'className'> &
  Omit<FieldProps, 'id'> & { id?: string; name: string; density?: Density }

/** One line of text with its label, hint and error. */
export function TextField({
  id,
  name,
  label,
  hint,
  error,
  required,
  className,
  density = 'comfortable',
  ...input
}: TextFieldProps) {
  return (
    <Field id={id ?? name} label={label} hint={hint} error={error} required={required} className={className}>
      {(wiring) => (
        <input
          type="text"
          {...input}
          {...wiring}
          name={name}
          className={clsx('control', controlSize(density))}
        />
      )}
    </Field>
  )
}

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'id' | 'required' | 'className'> &
  Omit<FieldProps, 'id'> & { id?: string; name: string; density?: Density }

/** Several lines of text with their label, hint and error. */
export function TextAreaField({
  id,
  name,
  label,
  hint,
  error,
  required,
  className,
  density = 'comfortable',
  ...input
}: TextAreaFieldProps) {
  return (
    <Field id={id ?? name} label={label} hint={hint} error={error} required={required} className={className}>
      {(wiring) => (
        <textarea
          rows={3}
          {...input}
          {...wiring}
          name={name}
          className={clsx('control py-2', controlSize(density))}
        />
      )}
    </Field>
  )
}

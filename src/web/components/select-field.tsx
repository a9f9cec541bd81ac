import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { controlSize } from './text-field.tsx'

export interface SelectOption {
  value: string
  label: string
}

type SelectFieldProps = Omit<ComponentProps<'select'>, 'id' | 'required' | 'className' | 'children'> &
  Omit<FieldProps, 'id'> & {
    id?: string
    name: string
    /** Texts stand for options whose value is their label. */
    options: readonly (SelectOption | string)[]
    /** The label of the empty choice; without it there is none. */
    placeholder?: string
    density?: 'comfortable' | 'compact'
  }

/** A native select: the phone's own picker, and it works before scripts arrive. */
export function SelectField({
  id,
  name,
  label,
  hint,
  error,
  required,
  className,
  options,
  placeholder,
  density = 'comfortable',
  ...select
}: SelectFieldProps) {
  return (
    <Field id={id ?? name} label={label} hint={hint} error={error} required={required} className={className}>
      {(wiring) => (
        <span className="relative block">
          <select
            {...select}
            {...wiring}
            name={name}
            className={clsx('control appearance-none pr-10', controlSize(density))}
          >
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => {
              const { value, label: text } =
                typeof option === 'string' ? { value: option, label: option } : option
              return (
                <option key={value} value={value}>
                  {text}
                </option>
              )
            })}
          </select>
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
          />
        </span>
      )}
    </Field>
  )
}

import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Field, type LabelledProps, partProps } from './field.tsx'

export interface SelectOption {
  value: string
  label: string
}

type SelectFieldProps = Omit<ComponentProps<'select'>, keyof LabelledProps | 'children'> &
  LabelledProps & {
    /** Texts stand for options whose value is their label. */
    options: readonly (SelectOption | string)[]
    /** The label of the empty choice; without it there is none. */
    placeholder?: string
  }

/** A native select: the phone's own picker, and it works before scripts arrive. */
export function SelectField({ options, placeholder, ...props }: SelectFieldProps) {
  const { field, control, size } = partProps(props)
  return (
    <Field {...field}>
      {(wiring) => (
        <span className="relative block">
          <select {...wiring} {...control} className={clsx('control appearance-none pr-10', size)}>
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

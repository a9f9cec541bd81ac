import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from '#web/lib/translation.tsx'

export interface ControlWiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  'aria-required': boolean | undefined
}

export interface FieldProps {
  id: string
  label: string
  /** For a filter whose value says what it is: the label is for screen readers. */
  isLabelHidden?: boolean | undefined
  hint?: ReactNode
  error?: string | undefined
  required?: boolean | undefined
  className?: string | undefined
}

interface LabelledProps extends Omit<FieldProps, 'id'> {
  name: string
  id?: string
  density?: Density
}

type Density = 'comfortable' | 'compact'

/** Controls are 44 px high on phones, with text of 16 px, which keeps iPhones from zooming. */
export function controlSize(density: Density): string {
  return density === 'compact' ? 'min-h-9 text-sm max-md:min-h-11 max-md:text-base' : 'min-h-11 text-base'
}

function partProps<Props extends LabelledProps>(props: Props) {
  const {
    id,
    label,
    isLabelHidden,
    hint,
    error,
    required,
    className,
    density = 'comfortable',
    ...control
  } = props
  const field: FieldProps = { id: id ?? control.name, label, isLabelHidden, hint, error, required, className }
  return { field, control, size: controlSize(density) }
}

/** Sets aria-required instead of `required`: our own messages are shown, all at once. */
export function Field(props: FieldProps & { children: (wiring: ControlWiring) => ReactNode }) {
  const { id, label, isLabelHidden, hint, error, required, className, children } = props
  const t = useTranslation()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const describedBy = clsx(error && errorId, hint && hintId)
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-semibold'}>
        {t(label)}
        {required && <RequiredMark />}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error !== undefined,
        'aria-required': required || undefined,
      })}
      {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {t(hint)}
        </p>
      )}
    </div>
  )
}

// Screen readers use aria-required.
export function RequiredMark() {
  return (
    <span aria-hidden="true" className="text-danger">
      {'\u00A0*'}
    </span>
  )
}

export function FieldErrorText({ id, children }: { id: string; children: ReactNode }) {
  const t = useTranslation()
  return (
    <p id={id} className="text-sm font-medium text-danger">
      {t(children)}
    </p>
  )
}

/** A date or a time of which a part is missing: its value is empty. */
export function isHalfTyped(id: string): boolean {
  const control = document.getElementById(id)
  return control instanceof HTMLInputElement && control.validity.badInput
}

type TextFieldProps = Omit<ComponentProps<'input'>, keyof LabelledProps> & LabelledProps

export function TextField(props: TextFieldProps) {
  const { field, control, size } = partProps(props)
  return (
    <Field {...field}>
      {(wiring) => <input type="text" {...wiring} {...control} className={clsx('control', size)} />}
    </Field>
  )
}

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, keyof LabelledProps> & LabelledProps

export function TextAreaField(props: TextAreaFieldProps) {
  const { field, control, size } = partProps(props)
  return (
    <Field {...field}>
      {(wiring) => <textarea rows={3} {...wiring} {...control} className={clsx('control py-2', size)} />}
    </Field>
  )
}

interface SelectOption {
  value: string
  label: string
  isHidden?: boolean
}

type SelectFieldProps = Omit<ComponentProps<'select'>, keyof LabelledProps | 'children'> &
  LabelledProps & { options: readonly (SelectOption | string)[]; placeholder?: string }

/** Native: the phone's own picker, and it works without scripts. */
export function SelectField({ options, placeholder, ...props }: SelectFieldProps) {
  const { field, control, size } = partProps(props)
  const t = useTranslation()
  return (
    <Field {...field}>
      {(wiring) => (
        <span className="relative block">
          <select {...wiring} {...control} className={clsx('control appearance-none pr-10', size)}>
            {placeholder !== undefined && <option value="">{t(placeholder)}</option>}
            {options.map((option) => {
              const {
                value,
                label: text,
                isHidden = false,
              } = typeof option === 'string' ? { value: option, label: option } : option
              return (
                // Safari shows hidden options: there they can't be chosen.
                <option key={value} value={value} hidden={isHidden} disabled={isHidden}>
                  {t(text)}
                </option>
              )
            })}
          </select>
          <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted" />
        </span>
      )}
    </Field>
  )
}

import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** What a field hands to its control so that label, hint and error belong to it. */
export interface ControlWiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
  'aria-required': boolean | undefined
}

export interface FieldProps {
  /** The control's id; error and hint derive theirs from it. */
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean | undefined
  className?: string | undefined
}

/** What a component for one control takes beside the control's own attributes. */
export interface LabelledProps extends Omit<FieldProps, 'id'> {
  /** Also the id, unless another is given. */
  name: string
  id?: string
  density?: Density
}

type Density = 'comfortable' | 'compact'

/** Comfortable controls are touch targets of 44 px. 16-px text keeps iPhones from zooming into the field. */
export function controlSize(density: Density): string {
  return density === 'compact' ? 'min-h-9 text-sm' : 'min-h-11 text-base'
}

/** Parts the props of such a component into those of the field, those of its control, and the control's size. */
export function partProps<Props extends LabelledProps>({
  id,
  label,
  hint,
  error,
  required,
  className,
  density = 'comfortable',
  ...control
}: Props) {
  const field: FieldProps = { id: id ?? control.name, label, hint, error, required, className }
  return { field, control, size: controlSize(density) }
}

/**
 * Label, control, hint and error of one input. Required fields carry aria-required, not the browser's
 * `required`: our own sentences are shown, all at once.
 */
export function Field({
  id,
  label,
  hint,
  error,
  required,
  className,
  children,
}: FieldProps & { children: (wiring: ControlWiring) => ReactNode }) {
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const describedBy = clsx(error && errorId, hint && hintId)
  return (
    <div className={clsx('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
        {required && <RequiredMark />}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error !== undefined,
        'aria-required': required || undefined,
      })}
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The star of a required field. Screen readers hear aria-required instead. */
export function RequiredMark() {
  return (
    <span aria-hidden="true" className="text-danger">
      {' *'}
    </span>
  )
}

/** What is wrong with a field, under its control. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="text-sm font-medium text-danger">
      {children}
    </p>
  )
}

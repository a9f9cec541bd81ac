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

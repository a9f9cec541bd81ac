import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { FieldError, RequiredMark } from '#web/components/field.tsx'

interface ChoiceGroupProps {
  /** The group's name; the first control inside has it as id, so that links and focus lead there. */
  name: string
  label: string
  hint?: string
  required: boolean
  error: string | undefined
  /** Radio buttons are one choice, and a screen reader is told so; other controls are only grouped. */
  role?: 'radiogroup'
  className?: string
  children: ReactNode
}

/** Several controls that answer one question together. */
export function ChoiceGroup({
  name,
  label,
  hint,
  required,
  error,
  role,
  className,
  children,
}: ChoiceGroupProps) {
  const errorId = `${name}-error`
  const hintId = `${name}-hint`
  const describedBy = clsx(error && errorId, hint && hintId)
  // A plain group has no such states: there its controls carry them.
  const radioGroup = role && { role, 'aria-invalid': error !== undefined, 'aria-required': required }
  return (
    <fieldset
      {...radioGroup}
      aria-describedby={describedBy || undefined}
      className={clsx('min-w-0', className)}
    >
      <legend className="mb-1.5 text-sm font-semibold">
        {label}
        {required && <RequiredMark />}
      </legend>
      {children}
      {(error !== undefined || hint) && (
        <div className="mt-1.5 flex flex-col gap-1.5">
          {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
          {hint && (
            <p id={hintId} className="text-sm text-muted">
              {hint}
            </p>
          )}
        </div>
      )}
    </fieldset>
  )
}

import { clsx } from 'clsx'
import { type ReactNode, useContext } from 'react'
import { consentNotice, consentStatement } from '#shared/registration/consent.ts'
import { FieldErrorText, RequiredMark } from '#web/components/field.tsx'
import { fieldContext } from './field-context.ts'

interface ChoiceGroupProps {
  /** Also the id of the first control, so that links and focus lead there. */
  name: string
  label: string
  hint?: string
  required: boolean
  error: string | undefined
  role?: 'radiogroup'
  className?: string
  children: ReactNode
}

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
          {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
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

/** The privacy notice in short and the required tick (RA 10173). */
export function ConsentField() {
  const { values, errors } = useContext(fieldContext)
  const error = errors.get('consent')
  return (
    <>
      <div className="flex flex-col gap-3 text-sm text-muted">
        {consentNotice.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          {/* A tab of its own: reading it must not cost what was typed. */}
          <a
            href="/privacy"
            target="_blank"
            rel="noopener"
            className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
          >
            Read the whole privacy notice
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </p>
      </div>
      <label
        className={clsx(
          'mt-2 flex items-start gap-3 rounded-box border p-4 has-checked:border-primary has-checked:bg-primary-soft',
          error === undefined ? 'border-edge' : 'border-danger',
        )}
      >
        <input
          type="checkbox"
          id="consent"
          name="consent"
          value="true"
          defaultChecked={values.consent === 'true'}
          aria-required="true"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : 'consent-error'}
          className="mt-0.5 size-5 shrink-0 accent-primary"
        />
        <span className="min-w-0 wrap-anywhere">
          {consentStatement}
          <RequiredMark />
        </span>
      </label>
      {error !== undefined && (
        <div className="mt-1.5">
          <FieldErrorText id="consent-error">{error}</FieldErrorText>
        </div>
      )}
    </>
  )
}

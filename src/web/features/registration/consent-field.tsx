import { clsx } from 'clsx'
import { useContext } from 'react'
import { consentNotice, consentStatement } from '#shared/consent.ts'
import { FieldError, RequiredMark } from '#web/components/field.tsx'
import { fieldContext } from './field-context.ts'

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
        <span>
          {consentStatement}
          <RequiredMark />
        </span>
      </label>
      {error !== undefined && (
        <div className="mt-1.5">
          <FieldError id="consent-error">{error}</FieldError>
        </div>
      )}
    </>
  )
}

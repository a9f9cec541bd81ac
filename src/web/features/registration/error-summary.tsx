import type { FieldError } from '#shared/problem.ts'

interface ErrorSummaryProps {
  errors: readonly FieldError[]
  /** After a plain form post, where nothing else leads to the fields. */
  isOpen: boolean
}

/** What is to mend, each linked to its field. */
export function ErrorSummary({ errors, isOpen }: ErrorSummaryProps) {
  return (
    <details open={isOpen} className="rounded-box border border-danger bg-danger-soft px-4 py-1 sm:px-6">
      <summary className="min-h-11 content-center font-bold text-danger">
        {errors.length === 1 ? 'One answer needs' : `${errors.length} answers need`} your attention
      </summary>
      <ul className="pb-2">
        {errors.map(({ path, message }) => (
          <li key={path}>
            <a
              href={`#${path}`}
              className="inline-flex min-h-11 items-center text-danger underline underline-offset-4 sm:min-h-8"
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

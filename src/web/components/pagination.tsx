import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import { Link, type To } from 'react-router'
import { figureText } from '#web/lib/number-texts.ts'
import { ButtonLink } from './button.tsx'

interface PaginationProps {
  page: number
  pageSize: number
  total: number
  noun: string
  to: (page: number) => To
}

export function Pagination({ page, pageSize, total, noun, to }: PaginationProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  const last = Math.min(page * pageSize, total)
  return (
    <nav
      aria-label="Pagination"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm"
    >
      <p className="text-muted tabular-nums" aria-live="polite">
        {figureText(first)}–{figureText(last)} of {figureText(total)} {noun}
      </p>
      {pages > 1 && (
        <ul className="flex items-center gap-1">
          <li>
            <Step label="First page" to={page > 1 ? to(1) : undefined}>
              <ChevronsLeft aria-hidden="true" className="size-4" />
            </Step>
          </li>
          <li>
            <Step label="Previous page" to={page > 1 ? to(page - 1) : undefined}>
              <ChevronLeft aria-hidden="true" className="size-4" />
            </Step>
          </li>
          <li className="px-2 tabular-nums">
            Page {figureText(page)} of {figureText(pages)}
          </li>
          <li>
            <Step label="Next page" to={page < pages ? to(page + 1) : undefined}>
              <ChevronRight aria-hidden="true" className="size-4" />
            </Step>
          </li>
          <li>
            <Step label="Last page" to={page < pages ? to(pages) : undefined}>
              <ChevronsRight aria-hidden="true" className="size-4" />
            </Step>
          </li>
        </ul>
      )}
    </nav>
  )
}

function Step({ label, to, children }: { label: string; to: To | undefined; children: React.ReactNode }) {
  const stepClass = 'inline-flex size-9 items-center justify-center rounded-box border'
  if (to === undefined) {
    return (
      <span aria-hidden="true" className={clsx(stepClass, 'text-muted')}>
        {children}
      </span>
    )
  }
  return (
    <Link
      to={to}
      preventScrollReset
      aria-label={label}
      className={clsx(stepClass, 'border-edge bg-card hover:bg-soft')}
    >
      {children}
    </Link>
  )
}

interface PageStepsProps {
  label: string
  cursor: string
  nextCursor: string | null
  words: { first: string; next: string }
  pathOf: (cursor: string) => string
  preventScrollReset?: boolean
}

/** Each page has its own address. */
export function PageSteps({
  label,
  cursor,
  nextCursor,
  words,
  pathOf,
  preventScrollReset = false,
}: PageStepsProps) {
  if (cursor === '' && nextCursor === null) return null
  return (
    <nav aria-label={label} className="flex flex-wrap justify-end gap-2 max-md:[&_a]:min-h-11">
      {cursor !== '' && (
        <ButtonLink variant="outline" size="sm" to={pathOf('')} preventScrollReset={preventScrollReset}>
          {words.first}
        </ButtonLink>
      )}
      {nextCursor !== null && (
        <ButtonLink
          variant="outline"
          size="sm"
          to={pathOf(nextCursor)}
          preventScrollReset={preventScrollReset}
        >
          {words.next}
        </ButtonLink>
      )}
    </nav>
  )
}

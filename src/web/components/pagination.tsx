import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, type LucideIcon } from 'lucide-react'
import { Link, type To } from 'react-router'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { SmallLink } from './button.tsx'

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
        {figureText(first)}
        {last > first && `–${figureText(last)}`} of {countOf(total, noun)}
      </p>
      {pages > 1 && (
        <ul className="flex flex-wrap items-center gap-1">
          <Step label="First page" Icon={ChevronsLeft} to={page > 1 && to(1)} />
          <Step label="Previous page" Icon={ChevronLeft} to={page > 1 && to(page - 1)} />
          <li className="px-2 tabular-nums">
            Page {figureText(page)} of {figureText(pages)}
          </li>
          <Step label="Next page" Icon={ChevronRight} to={page < pages && to(page + 1)} />
          <Step label="Last page" Icon={ChevronsRight} to={page < pages && to(pages)} />
        </ul>
      )}
    </nav>
  )
}

function Step({ label, to, Icon }: { label: string; to: To | false; Icon: LucideIcon }) {
  const stepClass = 'inline-flex size-9 items-center justify-center rounded-box border'
  const icon = <Icon className="size-4" />
  return (
    <li>
      {to === false ? (
        <span aria-hidden="true" className={clsx(stepClass, 'text-muted')}>
          {icon}
        </span>
      ) : (
        <Link
          to={to}
          preventScrollReset
          aria-label={label}
          className={clsx(stepClass, 'border-edge bg-card hover:bg-soft')}
        >
          {icon}
        </Link>
      )}
    </li>
  )
}

interface PageStepsProps {
  list: { values: { cursor: string }; to: (page: { cursor: string }) => string }
  nextCursor: string | null
  first: string
  next: string
  preventScrollReset?: boolean
}

/** Each page has its own address. */
export function PageSteps({ list, nextCursor, first, next, preventScrollReset = false }: PageStepsProps) {
  const { cursor } = list.values
  if (cursor === '' && nextCursor === null) return null
  return (
    <nav aria-label="Pagination" className="flex flex-wrap justify-end gap-2">
      {cursor !== '' && (
        <SmallLink to={list.to({ cursor: '' })} preventScrollReset={preventScrollReset}>
          {first}
        </SmallLink>
      )}
      {nextCursor !== null && (
        <SmallLink to={list.to({ cursor: nextCursor })} preventScrollReset={preventScrollReset}>
          {next}
        </SmallLink>
      )}
    </nav>
  )
}

import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface DataTableProps {
  caption: string
  busy?: boolean
  /** Rows of one line, as high as their controls: as many as possible on a screen of a computer. */
  isDense?: boolean
  className?: string
  children: ReactNode
}

// Two lines of a long name are as high as a control.
const denseRows =
  'md:text-[0.8125rem] md:[&_:is(td,th)]:px-2! md:[&>tbody_:is(td,th)]:h-9 md:[&_:is(td,th)]:py-0! md:[&>tbody_:is(td,th)]:align-middle! md:[&>tbody_:is(td,th)]:leading-4'

/** Scrolls sideways in its own frame, which can be focused for the arrow keys. @param busy newer rows are loading */
export function DataTable({ caption, busy = false, isDense = false, className, children }: DataTableProps) {
  return (
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className={clsx('relative overflow-x-auto rounded-box border bg-card shadow-card', className)}
    >
      <table
        aria-busy={busy}
        className={clsx('w-full border-collapse text-left text-sm', isDense && denseRows)}
      >
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  )
}

export type SortDirection = 'ascending' | 'descending'

interface HeadCellProps extends Omit<ComponentProps<'th'>, 'aria-sort' | 'scope'> {
  sort?: SortDirection | 'none' | undefined
  onSort?: (() => void) | undefined
  /** Content after the button. */
  edge?: ReactNode
}

export function HeadCell({ sort, onSort, edge, className, children, ...rest }: HeadCellProps) {
  return (
    <th
      scope="col"
      aria-sort={sort}
      className={clsx(
        'border-b bg-soft px-3 py-2 align-middle text-xs font-semibold whitespace-nowrap text-muted',
        className,
      )}
      {...rest}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={clsx(
            '-mx-1.5 inline-flex min-h-7 items-center gap-1 rounded-box px-1.5 hover:text-fg',
            sort !== 'none' && 'text-fg',
          )}
        >
          {children}
          <SortIcon sort={sort ?? 'none'} />
        </button>
      ) : (
        children
      )}
      {edge}
    </th>
  )
}

function SortIcon({ sort }: { sort: SortDirection | 'none' }) {
  const Icon = sort === 'ascending' ? ArrowUp : sort === 'descending' ? ArrowDown : ChevronsUpDown
  return <Icon className="size-3.5 shrink-0" />
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return (
    <td
      className={clsx('border-b px-3 py-2 align-middle in-[tr:last-child]:border-b-0', className)}
      {...rest}
    />
  )
}

const stackedHead = 'max-md:sr-only'
const stackedCell = 'align-top! max-md:block max-md:border-b-0 max-md:py-1'

interface StackedTableProps extends DataTableProps {
  heads: readonly string[]
  /** The class of a last column, with what is done with a row. */
  actions?: string | undefined
}

/** A table whose cells are below each other on a phone, under an invisible head. */
export function StackedTable({ heads, actions, children, ...table }: StackedTableProps) {
  return (
    <DataTable {...table}>
      <StackedHead>
        {heads.map((head) => (
          <HeadCell key={head}>{head}</HeadCell>
        ))}
        {actions !== undefined && <ActionsHead className={actions} />}
      </StackedHead>
      <tbody>{children}</tbody>
    </DataTable>
  )
}

export function StackedHead({ children }: { children: ReactNode }) {
  return (
    <thead className={stackedHead}>
      <tr>{children}</tr>
    </thead>
  )
}

export function ActionsHead({ className }: { className?: string }) {
  return (
    <HeadCell className={className}>
      <span className="sr-only">Actions</span>
    </HeadCell>
  )
}

export function StackedRow({ className, ...row }: ComponentProps<'tr'>) {
  return (
    <tr
      className={clsx(
        'bg-card hover:bg-soft max-md:block max-md:border-b max-md:py-2 max-md:last:border-b-0',
        className,
      )}
      {...row}
    />
  )
}

export function RowHead({ className, ...cell }: ComponentProps<'th'>) {
  return (
    <th
      scope="row"
      className={clsx(stackedCell, 'border-b px-3 py-2 in-[tr:last-child]:border-b-0', className)}
      {...cell}
    />
  )
}

/** @param head of its column, which on a phone is before the text */
export function StackedCell({ head, className, children }: ComponentProps<'td'> & { head?: string }) {
  return (
    <Cell className={clsx(stackedCell, className)}>
      {head && <span className="text-muted md:hidden">{head}: </span>}
      {children}
    </Cell>
  )
}

/** The cell with a row's actions. On a phone it is in the corner of the row, which is `relative`. */
export function ActionsCell({ children }: { children: ReactNode }) {
  return (
    <StackedCell className="px-1! py-0.5! max-md:absolute max-md:top-1 max-md:right-1">
      {children}
    </StackedCell>
  )
}

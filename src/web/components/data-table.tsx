import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface DataTableProps {
  caption: string
  busy?: boolean
  /** Rows of one line, as high as their controls: as many as possible on a screen of a computer. */
  isDense?: boolean
  /** The children are the rows below them; without heads, the whole table. */
  heads?: readonly (string | Head)[]
  headsClassName?: string
  className?: string
  children: ReactNode
}

/** The head of a column. */
export interface Head extends Pick<HeadCellProps, 'sort' | 'onSort'> {
  head: string
  isHeadHidden?: boolean
  /** Shown in place of the head. */
  headControl?: ReactNode
  headClassName?: string
}

// Two lines of a long name are as high as a control.
const denseRows =
  'md:text-[0.8125rem] md:[&_:is(td,th)]:px-2! md:[&>tbody_:is(td,th)]:h-9 md:[&_:is(td,th)]:py-0! md:[&>tbody_:is(td,th)]:align-middle! md:[&>tbody_:is(td,th)]:leading-4'

/** Scrolls sideways in its own frame, which can be focused for the arrow keys. @param busy newer rows are loading */
export function DataTable(props: DataTableProps) {
  const { caption, busy = false, isDense = false, heads, headsClassName, className, children } = props
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
        {heads && (
          <thead className={headsClassName}>
            <tr>
              {heads
                .map((one) => (typeof one === 'string' ? { head: one } : one))
                .map(({ head, isHeadHidden, headControl = head, headClassName, sort, onSort }: Head) => (
                  <HeadCell key={head} className={headClassName} sort={sort} onSort={onSort}>
                    {isHeadHidden ? <span className="sr-only">{head}</span> : headControl}
                  </HeadCell>
                ))}
            </tr>
          </thead>
        )}
        {heads ? <tbody>{children}</tbody> : children}
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

const cellClass = 'border-b px-3 py-2 align-middle in-[tr:last-child]:border-b-0'

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={clsx(cellClass, className)} {...rest} />
}

/** A column of a list. It shows the `cell` or the `value` of an item. */
export interface Column<Item> extends Head {
  /** Empty for a cell of phones alone, which is left out where it has no content. */
  head: string
  className?: string
  isRowHead?: boolean
  cell?: (item: Item) => ReactNode
  /** A phone shows the head before the value, and leaves out an empty value. */
  value?: (item: Item) => ReactNode
}

interface ListTableProps<Item> extends Omit<DataTableProps, 'children' | 'heads'> {
  items: readonly Item[]
  columns: readonly Column<NoInfer<Item>>[]
  /** What is done with an item. On a phone it is in the corner of the row. */
  menu?: ((item: Item) => ReactNode) | null
}

/** A table of items. On a phone the cells of a row are below each other, and the head is invisible. */
export function ListTable<Item extends { id: string }>(props: ListTableProps<Item>) {
  const { items, columns, menu, ...table } = props
  const allColumns = menu ? [...columns, { ...menuColumn, cell: menu }] : columns
  return (
    <DataTable
      {...table}
      heads={allColumns.filter(({ head }) => head !== '')}
      headsClassName="max-md:sr-only"
    >
      {items.map((item) => (
        <tr
          key={item.id}
          className="bg-card hover:bg-soft max-md:relative max-md:block max-md:border-b max-md:py-2 max-md:last:border-b-0"
        >
          {allColumns.map((column) => (
            <ListCell key={column.head} column={column} item={item} />
          ))}
        </tr>
      ))}
    </DataTable>
  )
}

const menuColumn = {
  head: 'Actions',
  isHeadHidden: true,
  headClassName: 'w-12',
  className: 'px-1! py-0.5! max-md:absolute max-md:top-1 max-md:right-1',
}

function ListCell<Item>({ column, item }: { column: Column<Item>; item: Item }) {
  const { head, isRowHead, className, cell, value } = column
  const content = (cell ?? value)?.(item)
  const isEmpty = content === undefined || content === null || content === ''
  if (head === '' && isEmpty) return null
  const Part = isRowHead ? 'th' : 'td'
  return (
    <Part
      scope={isRowHead ? 'row' : undefined}
      className={clsx(
        cellClass,
        'align-top! max-md:block max-md:border-b-0 max-md:py-1',
        head === '' && 'md:hidden',
        value ? [className ?? 'wrap-break-word', isEmpty && 'max-md:hidden'] : className,
      )}
    >
      {value && <span className="text-muted md:hidden">{head}: </span>}
      {value && isEmpty ? '–' : content}
    </Part>
  )
}

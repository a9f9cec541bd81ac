import { clsx } from 'clsx'

/** A grey bar in the place of what is being loaded. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-pulse rounded-box bg-line', className ?? 'h-4 w-full')}
    />
  )
}

/** The shape of a table that is being loaded; screen readers hear the label. */
export function TableSkeleton({
  label,
  rows = 8,
  columns = 6,
}: {
  label: string
  rows?: number
  columns?: number
}) {
  return (
    <div role="status" className="overflow-hidden rounded-box border bg-card">
      <span className="sr-only">{label}</span>
      {numbers(rows).map((row) => (
        <div key={row} aria-hidden="true" className="flex gap-6 border-b px-4 py-3.5 last:border-b-0">
          {numbers(columns).map((column) => (
            <Skeleton key={column} className={clsx('h-4 flex-1', column > 2 && 'max-md:hidden')} />
          ))}
        </div>
      ))}
    </div>
  )
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

import { clsx } from 'clsx'

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-pulse rounded-box bg-line', className ?? 'h-4 w-full')}
    />
  )
}

/** Grey bars with these classes, while something is read. */
export function LoadingBars({ label, bars }: { label: string; bars: readonly string[] }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{label}</span>
      {bars.map((bar, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <Skeleton key={at} className={bar} />
      ))}
    </div>
  )
}

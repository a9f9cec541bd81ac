import { clsx } from 'clsx'

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block max-w-full animate-pulse rounded-box bg-line', className ?? 'h-4 w-full')}
    />
  )
}

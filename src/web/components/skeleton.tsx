import { clsx } from 'clsx'

export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-pulse rounded-box bg-line', className ?? 'h-4 w-full')}
    />
  )
}

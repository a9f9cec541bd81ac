import { clsx } from 'clsx'
import { SunMark } from './sun-mark.tsx'

/** The product's name beside its sign; on the narrowest screens the sign alone is seen. */
export function Brand({ className }: { className?: string }) {
  return (
    <span className={clsx('inline-flex items-center gap-2.5', className)}>
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-box border border-pine-line bg-pine text-gold"
      >
        <SunMark className="size-6" />
      </span>
      <span className="text-lg leading-none font-bold tracking-tight whitespace-nowrap max-[22rem]:sr-only">
        NSTP Portal
      </span>
    </span>
  )
}

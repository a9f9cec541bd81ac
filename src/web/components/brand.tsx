import { clsx } from 'clsx'
import { useSite } from '#web/lib/site.ts'

export function SiteBrand() {
  const { systemName, schoolName, logoUrl } = useSite()
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-[min(0.625rem,10px)]">
      {logoUrl === null ? (
        <span
          aria-hidden="true"
          className="grid size-9 shrink-0 place-items-center rounded-box border border-pine-line bg-pine text-gold"
        >
          <SunMark className="size-6" />
        </span>
      ) : (
        // Its name is beside it.
        <img src={logoUrl} alt="" width={36} height={36} className="size-9 shrink-0 object-contain" />
      )}
      {/* In a narrow head the mark stands alone: letters cut in two read as a fault. */}
      <span className="min-w-0 @max-[7rem]/brand:sr-only">
        <span
          dir="auto"
          className={clsx(
            'line-clamp-2 font-bold tracking-tight wrap-break-word max-sm:leading-tight sm:line-clamp-1',
            schoolName ? 'text-base' : 'text-base sm:text-lg',
          )}
        >
          {systemName}
        </span>
        {schoolName && (
          <span dir="auto" className="block truncate text-xs font-medium opacity-80">
            {schoolName}
          </span>
        )}
      </span>
    </span>
  )
}

// Eight rays of three points around a disc of radius 30, in a 200 × 200 box.
const rays = Array.from({ length: 8 }, (_, index) => index * 45)

export function SunMark({ className }: { className?: string }) {
  return (
    <svg viewBox="-100 -100 200 200" aria-hidden="true" className={className} fill="currentColor">
      <circle r="31" />
      {rays.map((angle) => (
        <g key={angle} transform={`rotate(${angle})`}>
          <path d="M-4.5 -38 L-3 -98 L3 -98 L4.5 -38 Z" />
          <path d="M-11.5 -36 L-13.5 -84 L-9.5 -84 L-6.5 -38 Z" />
          <path d="M11.5 -36 L13.5 -84 L9.5 -84 L6.5 -38 Z" />
        </g>
      ))}
    </svg>
  )
}

import { clsx } from 'clsx'
import { SunMark } from './sun-mark.tsx'

interface BrandProps {
  name: string
  /** Under the name; '' for none. */
  subtitle: string
  /** In the place of the product's own sign. */
  logoUrl: string | null
}

/**
 * A name beside its sign. On a phone a name may take two lines; longer ones are cut to their room.
 */
export function Brand({ name, subtitle, logoUrl }: BrandProps) {
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
        // Its name stands beside it.
        <img src={logoUrl} alt="" width={36} height={36} className="size-9 shrink-0 object-contain" />
      )}
      <span className="min-w-0">
        <span
          dir="auto"
          className={clsx(
            'line-clamp-2 font-bold tracking-tight wrap-break-word max-sm:leading-tight sm:line-clamp-1',
            subtitle ? 'text-base' : 'text-base sm:text-lg',
          )}
        >
          {name}
        </span>
        {subtitle && (
          <span dir="auto" className="block truncate text-xs font-medium opacity-80">
            {subtitle}
          </span>
        )}
      </span>
    </span>
  )
}

import { type ReactNode, useId } from 'react'
import { Skeleton } from '#web/components/skeleton.tsx'

interface ProfileSectionProps {
  title: string
  badge?: ReactNode
  children: ReactNode
}

/** While recovery codes are shown, only their card is printed. */
export function ProfileSection({ title, badge, children }: ProfileSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      aria-busy={children === null}
      className="min-w-0 rounded-box border bg-card p-5 shadow-card not-has-data-recovery-codes:print:group-has-data-recovery-codes/profile:hidden"
    >
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {badge}
      </div>
      {children ?? (
        // The placeholder is as high as the section of two-factor sign-in that is off.
        <div className="grid min-h-33 grid-cols-1 content-start gap-3 max-sm:min-h-39">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-5 w-1/2" />
          <Skeleton className="h-11 w-40" />
        </div>
      )}
    </section>
  )
}

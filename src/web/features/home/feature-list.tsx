import {
  CalendarDays,
  FileCheck2,
  LockKeyhole,
  type LucideIcon,
  Smartphone,
  Users,
  WifiOff,
} from 'lucide-react'
import type { FeatureIcon, FeatureTexts } from '#shared/site-texts.ts'

const icons: Record<FeatureIcon, LucideIcon> = {
  phone: Smartphone,
  signal: WifiOff,
  document: FileCheck2,
  lock: LockKeyhole,
  people: Users,
  calendar: CalendarDays,
}

/** What the portal does for a student. */
export function FeatureList({ texts: { title, items } }: { texts: FeatureTexts }) {
  if (items.length === 0) return null
  return (
    <section aria-labelledby="features" className="page-width pt-14 pb-4 md:pt-20 md:pb-8">
      <h2 id="features" dir="auto" className="text-2xl font-bold tracking-tight md:text-3xl">
        {title}
      </h2>
      <ul className="mt-8 grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] gap-x-8 gap-y-6">
        {items.map((feature) => {
          const Icon = icons[feature.icon]
          return (
            <li
              key={`${feature.title} ${feature.text}`}
              // The picture stands where its title begins.
              dir="auto"
              className="border-t-2 border-primary pt-4 max-sm:flex max-sm:gap-4"
            >
              <Icon aria-hidden="true" className="size-7 shrink-0 text-primary" strokeWidth={1.75} />
              <div className="min-w-0 flex-1">
                <h3 className="text-lg font-semibold sm:mt-3">{feature.title}</h3>
                <p dir="auto" className="mt-1 text-muted">
                  {feature.text}
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

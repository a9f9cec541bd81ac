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
    <section aria-labelledby="features" className="page-width py-14 md:py-20">
      <h2 id="features" className="text-2xl font-bold tracking-tight md:text-3xl">
        {title}
      </h2>
      <ul className="mt-8 grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {items.map((feature) => {
          const Icon = icons[feature.icon]
          return (
            <li key={`${feature.title} ${feature.text}`} className="border-t-2 border-primary pt-4">
              <Icon aria-hidden="true" className="size-7 text-primary" strokeWidth={1.75} />
              <h3 className="mt-3 text-lg font-semibold">{feature.title}</h3>
              <p className="mt-1 text-muted">{feature.text}</p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

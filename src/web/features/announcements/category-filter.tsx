import { Link } from 'react-router'
import { publicCategories } from '#shared/announcements.ts'
import { type AnnouncementsAddress, announcementsAddress } from './announcements-address.ts'

const choices = [
  { category: null, label: 'All' },
  ...publicCategories.map((category) => ({ category, label: category })),
]

/** The category buttons of spec §2: links, as each choice has its own address. */
export function CategoryFilter({ selected }: { selected: AnnouncementsAddress['category'] }) {
  return (
    <nav aria-label="Categories">
      <ul className="flex flex-wrap gap-2">
        {choices.map(({ category, label }) => (
          <li key={label}>
            <Link
              to={announcementsAddress({ category })}
              preventScrollReset
              aria-current={category === selected ? 'true' : undefined}
              className="inline-flex min-h-11 min-w-14 items-center justify-center rounded-box border border-edge bg-card px-4 font-semibold transition-colors hover:bg-soft aria-current:border-primary aria-current:bg-primary aria-current:text-on-primary"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

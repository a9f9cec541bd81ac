import type { DashboardData } from './dashboard-data.ts'
import { RecentActivity } from './recent-activity.tsx'
import { StatCard } from './stat-card.tsx'
import { statCards } from './stat-cards.ts'

/**
 * The administrator's first look: how many students, where, and what is new (spec §2 "Dashboard tab").
 *
 * @param data null while it is being read: the cards stand already, so that nothing moves
 */
export function DashboardTab({ data, onRetry }: { data: DashboardData | null; onRetry: () => void }) {
  const counts = data?.counts ?? null
  return (
    <>
      <h1 className="text-2xl font-bold tracking-tight">Dashboard</h1>
      <section
        aria-label="Figures"
        aria-busy={counts === null}
        className="mt-5 grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6"
      >
        {statCards(counts).map((card) => (
          <StatCard key={card.title} card={card} />
        ))}
      </section>
      <RecentActivity data={data} onRetry={onRetry} />
    </>
  )
}

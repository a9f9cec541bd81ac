import { BookOpen, CalendarClock, HandHeart, type LucideIcon, Megaphone, Shield, Users } from 'lucide-react'
import type { DashboardCounts } from '#shared/dashboard.ts'
import { componentNames, type NstpComponent } from '#shared/student-choices.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { figureText } from '#web/lib/count-text.ts'

export interface StatCardContent {
  title: string
  /** null while it is being read. */
  figure: number | null
  /** What the figure means, or a second figure. */
  note: string
  tone: 'primary' | 'olive' | 'blue' | 'amber'
  /** The list behind the figure. */
  to: string
  Icon: LucideIcon
}

/** The cards in order (spec §2 "Dashboard tab"). @param counts null while they are being read */
export function statCards(counts: DashboardCounts | null): StatCardContent[] {
  const component = (name: NstpComponent) => tabPath('students', { component: name })
  return [
    {
      title: 'Total Students',
      figure: counts?.totalStudents ?? null,
      // The statistics count archived ones too, under the same title.
      note: `Active students · not counting ${counts ? figureText(counts.archivedStudents) : '–'} archived`,
      tone: 'primary',
      to: tabPath('students'),
      Icon: Users,
    },
    {
      title: 'ROTC Students',
      figure: counts?.rotcStudents ?? null,
      note: componentNames.ROTC,
      tone: 'olive',
      to: component('ROTC'),
      Icon: Shield,
    },
    {
      title: 'CWTS Students',
      figure: counts?.cwtsStudents ?? null,
      note: componentNames.CWTS,
      tone: 'blue',
      to: component('CWTS'),
      Icon: HandHeart,
    },
    {
      title: 'LTS Students',
      figure: counts?.ltsStudents ?? null,
      note: componentNames.LTS,
      tone: 'amber',
      to: component('LTS'),
      Icon: BookOpen,
    },
    {
      title: 'Recent Registrations',
      figure: counts?.recentRegistrations ?? null,
      note: `Last 30 days · ${counts ? figureText(counts.lastSevenDays) : '–'} in the last 7 days`,
      tone: 'primary',
      // The figure counts 30 days, its list the last 7 (spec §2).
      to: tabPath('students', { period: 'last-7-days' }),
      Icon: CalendarClock,
    },
    {
      title: 'Active Announcements',
      figure: counts?.activeAnnouncements ?? null,
      note: 'Public now',
      tone: 'primary',
      to: tabPath('announcements'),
      Icon: Megaphone,
    },
  ]
}

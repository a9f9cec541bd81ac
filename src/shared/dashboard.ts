/** How far back a registration counts as recent, in days (spec §9). */
export const recentDays = 30

/** The counts of the dashboard's cards. */
export interface DashboardCounts {
  totalStudents: number
  rotcStudents: number
  cwtsStudents: number
  ltsStudents: number
  /** Registrations of the last 30 days. */
  recentRegistrations: number
  /** Of those, the ones of the last 7 days: what the card opens. */
  lastSevenDays: number
  archivedStudents: number
}

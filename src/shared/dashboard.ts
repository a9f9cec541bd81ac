/** How far back a registration counts as recent, in days (spec §9). */
export const recentDays = 30

/** So many enlistments are named one by one among the recent activity; more are one line. */
export const namedEnlistments = 3

/** Who enlisted by the form in the last 7 days and isn't archived. */
export interface Enlistments {
  count: number
  /** The newest first, at most `namedEnlistments`. Instants are ISO texts. */
  latest: { id: string; name: string; at: string }[]
}

/** What is counted of the students. */
export interface StudentCounts {
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

/** The counts of the dashboard's cards. */
export interface DashboardCounts extends StudentCounts {
  /** Announcements that are public now. */
  activeAnnouncements: number
  enlistments: Enlistments
}

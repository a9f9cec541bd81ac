import type { AnnouncementsData } from './announcements-data.ts'

interface AnnouncementsTabProps {
  /** Null while it is being read, and when that has failed. */
  data: AnnouncementsData | null
  failed: boolean
}

/** The coordinator's tab (spec §2 "Other tabs"). */
export function AnnouncementsTab({ data, failed }: AnnouncementsTabProps) {
  return (
    <h1 className="text-2xl font-bold tracking-tight" data-failed={failed} data-shown={data?.shown}>
      Announcements
    </h1>
  )
}

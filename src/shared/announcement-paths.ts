/** Where everybody reads announcements, below the site's origin: pages, links in mail, the feed and the sitemap. */
export const announcementsPath = '/announcements'

/** The feed of the latest ones. */
export const feedPath = `${announcementsPath}/feed.xml`

/** The page of one announcement. */
export function announcementPath(id: string): string {
  return `${announcementsPath}/${id}`
}

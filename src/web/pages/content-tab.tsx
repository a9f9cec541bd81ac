import { lazy } from 'react'
import { LazyScreen } from '#web/components/lazy-screen.tsx'
import { loadAnnouncements } from '#web/features/announcements/data.ts'
import { loadOrgChart } from '#web/features/org-chart/data.ts'
import { loadSlideshow } from '#web/features/slideshow/data.ts'

// Loaded when a tab is opened.
const AnnouncementsTab = lazy(async () => ({
  default: (await import('#web/features/announcements/announcements-tab.tsx')).AnnouncementsTab,
}))
const SlideshowTab = lazy(async () => ({
  default: (await import('#web/features/slideshow/slideshow-tab.tsx')).SlideshowTab,
}))
const OrgChartTab = lazy(async () => ({
  default: (await import('#web/features/org-chart/org-chart-tab.tsx')).OrgChartTab,
}))

const contentTabs = ['announcements', 'slideshow', 'orgchart'] as const
export type ContentTabName = (typeof contentTabs)[number]

export function isContentTab(tab: string): tab is ContentTabName {
  return contentTabs.some((name) => name === tab)
}

export type ContentTabData = Awaited<ReturnType<typeof loadContentTab>>

export async function loadContentTab(tab: ContentTabName, url: URL, signal: AbortSignal) {
  switch (tab) {
    case 'announcements':
      return { tab, data: await loadAnnouncements(url, signal) }
    case 'slideshow':
      return { tab, data: await loadSlideshow(url, signal) }
    case 'orgchart':
      return { tab, data: await loadOrgChart(url, signal) }
  }
}

interface ContentTabProps {
  tab: ContentTabName
  content: ContentTabData | null
  failed: boolean
}

export function ContentTab({ tab, content, failed }: ContentTabProps) {
  return (
    <LazyScreen>
      <Screen tab={tab} content={content} failed={failed} />
    </LazyScreen>
  )
}

function Screen({ tab, content, failed }: ContentTabProps) {
  switch (tab) {
    case 'announcements':
      return <AnnouncementsTab data={content?.tab === tab ? content.data : null} failed={failed} />
    case 'slideshow':
      return <SlideshowTab data={content?.tab === tab ? content.data : null} failed={failed} />
    case 'orgchart':
      return <OrgChartTab data={content?.tab === tab ? content.data : null} failed={failed} />
  }
}

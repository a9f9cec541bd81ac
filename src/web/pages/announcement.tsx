import { data } from 'react-router'
import { announcementSentences } from '#shared/announcements/announcements.ts'
import {
  AnnouncementArticle,
  MissingAnnouncement,
} from '#web/features/announcements/announcement-article.tsx'
import { callApi, orErrorPage, orNull, serverApi } from '#web/lib/api.ts'
import { useLiveRevalidation } from '#web/lib/live.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/announcement'

export function meta({ loaderData, matches: [, frame], location }: Route.MetaArgs): Route.MetaDescriptors {
  const site = frame.loaderData?.site
  const announcement = loaderData?.announcement
  if (!announcement) return pageMeta({ site, title: announcementSentences.missing })
  const { title, excerpt, image, createdAt, updatedAt } = announcement
  // The administrator may preview a draft here.
  const publishedAt = announcement.publishAt ?? createdAt
  return pageMeta({
    site,
    title,
    description: excerpt,
    path: location.pathname,
    picture: image?.jpeg ?? null,
    article: { publishedAt, updatedAt: Math.max(publishedAt, updatedAt) },
  })
}

export async function loader({ context, request, params: { id } }: Route.LoaderArgs) {
  const { announcements } = serverApi(context, request)
  const announcement = await orErrorPage(orNull(callApi(announcements[':id'].$get({ param: { id } }))))
  return data({ announcement }, { status: announcement ? 200 : 404 })
}

export default function AnnouncementPage({ loaderData: { announcement } }: Route.ComponentProps) {
  useLiveRevalidation(['announcements'])
  return announcement ? <AnnouncementArticle announcement={announcement} /> : <MissingAnnouncement />
}

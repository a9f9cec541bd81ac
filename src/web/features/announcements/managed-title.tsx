import { Image, Paperclip, Pin } from 'lucide-react'
import type { AnnouncementMailing } from '#shared/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { MailMark } from './mail-mark.tsx'
import { StateBadge } from './state-badge.tsx'

interface ManagedTitleProps {
  announcement: ManagedAnnouncement
  texts: InstantTexts
  mailing: AnnouncementMailing | undefined
}

/** The title of an announcement in the coordinator's list, with how it stands. */
export function ManagedTitle({ announcement, texts, mailing }: ManagedTitleProps) {
  const { title, state, pinned, imageUrl, attachmentName } = announcement
  const times = timesOf(announcement, texts)
  return (
    <>
      <p dir="auto" title={title} className="line-clamp-2 font-semibold wrap-anywhere">
        {title}
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <StateBadge state={state} />
        {pinned && <Mark Icon={Pin} label="Pinned" />}
        {imageUrl !== null && <Mark Icon={Image} label="Image" />}
        {attachmentName !== null && <Mark Icon={Paperclip} label="Attachment" />}
        {times !== null && <span>{times}</span>}
      </p>
      <MailMark announcement={announcement} mailing={mailing} />
    </>
  )
}

function Mark({ Icon, label }: { Icon: typeof Pin; label: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      <Icon aria-hidden="true" className="size-3.5" />
      {label}
    </span>
  )
}

/** What of its times matters now: when it begins, when it ends or has ended. */
function timesOf(
  { state, publishAt, expireAt }: ManagedAnnouncement,
  { momentOf }: InstantTexts,
): string | null {
  const end = expireAt === null ? null : momentOf(expireAt)
  if (state === 'expired') return end && `Ended ${end}`
  const parts = [
    state === 'scheduled' && publishAt !== null ? `From ${momentOf(publishAt)}` : null,
    end && `Until ${end}`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(' · ')
}

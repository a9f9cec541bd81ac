import { choiceOf } from '#shared/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { mailToLabels } from './mail-to-labels.ts'

/** A field that somebody else changed, and what it is now. */
export interface OtherChange {
  label: string
  now: string
}

/** Of a long text its beginning is enough to know it by. */
const mostLetters = 160

/**
 * What differs between an announcement as the form saw it and as it is now.
 *
 * @param momentOf writes an instant
 */
export function otherChanges(
  seen: ManagedAnnouncement,
  now: ManagedAnnouncement,
  momentOf: (instant: number) => string,
): OtherChange[] {
  const describe: readonly { label: string; of: (announcement: ManagedAnnouncement) => string }[] = [
    { label: 'Title', of: ({ title }) => title },
    { label: 'Category', of: ({ category }) => category },
    { label: 'Content', of: ({ content }) => content },
    { label: 'Image', of: ({ imageUrl }) => imageUrl ?? '' },
    { label: 'Attachment', of: ({ attachmentUrl }) => attachmentUrl ?? '' },
    { label: 'Pinned', of: ({ pinned }) => (pinned ? 'Yes' : 'No') },
    {
      label: 'Published',
      of: ({ publishAt }) => (publishAt === null ? 'No: a draft' : momentOf(publishAt)),
    },
    { label: 'Ends', of: ({ expireAt }) => (expireAt === null ? 'Never' : momentOf(expireAt)) },
    { label: 'Sent by e-mail to', of: ({ mailTo }) => mailToLabels[choiceOf(mailTo)] },
  ]
  return describe
    .filter(({ of }) => of(seen) !== of(now))
    .map(({ label, of }) => ({ label, now: inWords(label, now, of(now)) }))
}

function inWords(label: string, { attachmentName }: ManagedAnnouncement, text: string): string {
  if (label === 'Image') return text === '' ? 'Removed' : 'Another image'
  if (label === 'Attachment') return text === '' ? 'Removed' : (attachmentName ?? 'Another file')
  return text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text
}

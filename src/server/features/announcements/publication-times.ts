import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#server/errors.ts'
import { type AnnouncementEdit, problemOfTimes } from '#shared/announcement-form.ts'

/** As they are stored. */
interface PublicationTimes {
  /** Null for a draft. */
  publishedAt: Date | null
  /** Null for ever. */
  expireAt: Date | null
}

/** Those of an announcement that isn't there yet. */
export const noTimes: PublicationTimes = { publishedAt: null, expireAt: null }

const minuteMs = 60_000

/**
 * Since when and until when an announcement is public after an edit.
 *
 * @throws AppError `invalid` when it would end before it begins, or now
 */
export function timesAfter(
  edit: Pick<AnnouncementEdit, 'draft' | 'publishAt' | 'expireAt'>,
  held: PublicationTimes,
  now: Date,
): PublicationTimes {
  const times = { publishedAt: publishedAfter(edit, held.publishedAt, now), expireAt: edit.expireAt ?? null }
  if (edit.expireAt === undefined || isSameMinute(edit.expireAt, held.expireAt))
    times.expireAt = held.expireAt
  const isNewEnd = !isDeepStrictEqual(times.expireAt, held.expireAt)
  const isNewBeginning = times.publishedAt !== null && !isDeepStrictEqual(times.publishedAt, held.publishedAt)
  if (isNewEnd || isNewBeginning) {
    const problem = problemOfTimes({ publishAt: times.publishedAt, expireAt: times.expireAt }, now)
    if (problem) throw new AppError('invalid', { detail: problem.message, errors: [problem] })
  }
  return times
}

function publishedAfter(
  { draft, publishAt }: Pick<AnnouncementEdit, 'draft' | 'publishAt'>,
  held: Date | null,
  now: Date,
): Date | null {
  if (draft === true) return null
  if (publishAt) return isSameMinute(publishAt, held) ? held : publishAt
  // Without a time it is published now, unless it was before.
  if (held === null) return draft === false ? now : null
  return publishAt === null && held > now ? now : held
}

/** Forms show minutes: an instant that comes back without its seconds wasn't changed. */
function isSameMinute(sent: Date | null, held: Date | null): boolean {
  if (sent === null || held === null) return sent === held
  return sent.getTime() === held.getTime() - (held.getTime() % minuteMs)
}

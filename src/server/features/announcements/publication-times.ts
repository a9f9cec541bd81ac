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
  const publishedAt = publishedAfter(edit, held.publishedAt, now)
  const isSameEnd = edit.expireAt === undefined || isSameMinute(edit.expireAt, held.expireAt)
  const expireAt = isSameEnd ? held.expireAt : (edit.expireAt ?? null)
  const isSameBeginning = publishedAt === null || isDeepStrictEqual(publishedAt, held.publishedAt)
  // What was right when it was stored stays, though its end may have passed meanwhile.
  const problem =
    isSameEnd && isSameBeginning ? undefined : problemOfTimes({ publishAt: publishedAt, expireAt }, now)
  if (problem) throw new AppError('invalid', { detail: problem.message, errors: [problem] })
  return { publishedAt, expireAt }
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
  const exact = held.getTime()
  return [exact, exact - (exact % minuteMs)].includes(sent.getTime())
}

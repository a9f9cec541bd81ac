import type { StudentListItem } from '#shared/student.ts'
import type { StudentPage } from '#shared/students.ts'
import { countOf } from '#web/lib/count-text.ts'

/**
 * Which rows of the list are on the screen. While the list is open others enlist: their records are shown as
 * soon as that moves nothing a person is working with.
 */
export interface ShownList {
  /** Which list: another key replaces everything. */
  key: string
  /** What is on the screen. */
  shown: StudentPage
  /** What was read last; the same as `shown` unless new rows are held back. */
  newest: StudentPage
  /** Everybody who registered while the list was open. */
  fresh: ReadonlySet<string>
  /** Of those, who came with the last change. */
  arrived: readonly StudentListItem[]
  /** How many changes made here it shows. */
  ownChanges: number
  /** Whether the rows that come are new registrations. */
  marksNew: boolean
}

interface Reading {
  key: string
  page: StudentPage
  /** Whether rows may come and go now. */
  mayMove: boolean
  /** Counts the changes that the person made here: what one does oneself shows at once. */
  ownChanges: number
  /** Whether the rows that come are new registrations. */
  marksNew: boolean
}

const none: ReadonlySet<string> = new Set()

export function firstShown({ key, page, ownChanges, marksNew }: Reading): ShownList {
  return { key, shown: page, newest: page, fresh: none, arrived: [], ownChanges, marksNew }
}

/** What to show after a reading. Gives the same object back when nothing changes. */
export function receive(list: ShownList, reading: Reading): ShownList {
  const { key, page, mayMove, ownChanges } = reading
  if (key !== list.key) return firstShown(reading)
  if (page === list.newest) return list
  if (mayMove || ownChanges !== list.ownChanges) {
    return showNewest({ ...list, newest: page, ownChanges })
  }
  return { ...list, shown: refreshed(list.shown, page), newest: page }
}

/** Shows what was held back, the new registrations marked. */
export function showNewest(list: ShownList): ShownList {
  if (!list.marksNew) return { ...list, shown: list.newest, arrived: [] }
  const before = new Set(list.shown.items.map(({ id }) => id))
  // A row may also have moved up from the next page, because another one went away.
  const latest =
    list.shown.items
      .map(({ registrationDate }) => registrationDate)
      .sort()
      .at(-1) ?? ''
  const arrived = list.newest.items.filter(
    ({ id, registrationDate }) => !before.has(id) && registrationDate >= latest,
  )
  const fresh = new Set([...list.fresh, ...arrived.map(({ id }) => id)])
  return { ...list, shown: list.newest, fresh, arrived }
}

/** The same rows in the same places, with what is new in them. */
function refreshed(shown: StudentPage, newest: StudentPage): StudentPage {
  const news = new Map(newest.items.map((item) => [item.id, item]))
  return { ...shown, items: shown.items.map((item) => news.get(item.id) ?? item) }
}

/** What is held back, as a sentence; null when the screen is up to date. */
export function heldBack({ shown, newest, marksNew }: ShownList): string | null {
  const isSame =
    shown.total === newest.total &&
    shown.items.length === newest.items.length &&
    shown.items.every(({ id }, index) => newest.items[index]?.id === id)
  if (isSame) return null
  const more = newest.total - shown.total
  return marksNew && more > 0 ? registrations(more) : 'The list has changed'
}

/** '1 new registration' */
export function registrations(count: number): string {
  return countOf(count, 'new registration')
}

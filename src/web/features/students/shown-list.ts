import type { StudentListItem } from '#shared/student.ts'
import type { StudentPage } from '#shared/students.ts'

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
}

interface Reading {
  key: string
  page: StudentPage
  /** Whether rows may come and go now. */
  mayMove: boolean
}

const none: ReadonlySet<string> = new Set()

export function firstShown(key: string, page: StudentPage): ShownList {
  return { key, shown: page, newest: page, fresh: none, arrived: [] }
}

/** What to show after a reading. Gives the same object back when nothing changes. */
export function receive(list: ShownList, { key, page, mayMove }: Reading): ShownList {
  if (key !== list.key) return firstShown(key, page)
  if (page === list.newest) return list
  if (mayMove) return showNewest({ ...list, newest: page })
  return { ...list, shown: refreshed(list.shown, page), newest: page }
}

/** Shows what was held back, the new registrations marked. */
export function showNewest(list: ShownList): ShownList {
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
export function heldBack({ shown, newest }: ShownList): string | null {
  const isSame =
    shown.total === newest.total &&
    shown.items.length === newest.items.length &&
    shown.items.every(({ id }, index) => newest.items[index]?.id === id)
  if (isSame) return null
  return newest.total > shown.total ? registrations(newest.total - shown.total) : 'The list has changed'
}

/** '1 new registration' */
export function registrations(count: number): string {
  return count === 1 ? '1 new registration' : `${count.toLocaleString('en-US')} new registrations`
}

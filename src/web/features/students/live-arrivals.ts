import type { StudentListItem, StudentPage } from '#shared/students/student-response.ts'
import { countOf } from '#web/lib/number-texts.ts'

/** The rows on the screen. New registrations are inserted only while that moves no row the user is working with. */
export interface ListState {
  key: string
  shownPage: StudentPage
  newest: StudentPage
  fresh: ReadonlySet<string>
  arrived: readonly StudentListItem[]
  ownChanges: number
  marksNew: boolean
}

interface ListUpdate {
  key: string
  page: StudentPage
  mayMove: boolean
  // The user's own changes show at once.
  ownChanges: number
  marksNew: boolean
}

const none: ReadonlySet<string> = new Set()

export function initialList({ key, page, ownChanges, marksNew }: ListUpdate): ListState {
  return { key, shownPage: page, newest: page, fresh: none, arrived: [], ownChanges, marksNew }
}

/** Returns the same object when nothing changes. */
export function applyUpdate(list: ListState, update: ListUpdate): ListState {
  const { key, page, mayMove, ownChanges } = update
  if (key !== list.key) return initialList(update)
  if (page === list.newest) return list
  // What an own change brings, as Undo does, is no news.
  if (ownChanges !== list.ownChanges)
    return { ...list, shownPage: page, newest: page, ownChanges, arrived: [] }
  if (mayMove) return showPending({ ...list, newest: page })
  return { ...list, shownPage: refreshed(list.shownPage, page), newest: page }
}

export function showPending(list: ListState): ListState {
  if (!list.marksNew) return { ...list, shownPage: list.newest, arrived: [] }
  const before = new Set(list.shownPage.items.map(({ id }) => id))
  // A row may also have moved up from the next page because another one was removed.
  const latest =
    list.shownPage.items
      .map(({ registrationDate }) => registrationDate)
      .sort()
      .at(-1) ?? ''
  const arrived = list.newest.items.filter(
    ({ id, registrationDate }) => !before.has(id) && registrationDate >= latest,
  )
  const fresh = new Set([...list.fresh, ...arrived.map(({ id }) => id)])
  return { ...list, shownPage: list.newest, fresh, arrived }
}

function refreshed(page: StudentPage, newest: StudentPage): StudentPage {
  const news = new Map(newest.items.map((item) => [item.id, item]))
  return { ...page, items: page.items.map((item) => news.get(item.id) ?? item) }
}

export function pendingText({ shownPage, newest, marksNew }: ListState): string | null {
  const isSame =
    shownPage.total === newest.total &&
    shownPage.items.length === newest.items.length &&
    shownPage.items.every(({ id }, index) => newest.items[index]?.id === id)
  if (isSame) return null
  const more = newest.total - shownPage.total
  return marksNew && more > 0 ? registrations(more) : 'The list has changed'
}

export function registrations(count: number): string {
  return countOf(count, 'new registration')
}

import { useLocation, useNavigate } from 'react-router'
import type { StudentListQuery } from '#shared/students.ts'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import type { ListPlace } from './list-place.ts'
import { type OpenRecord, readAddress, type StudentsAddress, writeAddress } from './student-query.ts'

/** In the history entry of a record that was opened from the list. */
const fromList = { openedFromList: true }

/** Where a list of students is, and the ways from there. */
export interface StudentsNavigation {
  /** What the person wants to see: while it is being read, the rows may still be those of before. */
  address: StudentsAddress
  /** Other filters lead to the first page. */
  show: (changes: Partial<StudentListQuery>, options?: { replace?: boolean }) => void
  pathOf: (page: number) => string
  /** With `replace` in place of what is open now. */
  open: (opened: OpenRecord, options?: { replace?: boolean }) => void
  /** Closes what is open over the list. */
  close: () => void
}

export function useStudentsNavigation(place: ListPlace): StudentsNavigation {
  const navigate = useNavigate()
  const current = useLocation()
  const address = readAddress(new URLSearchParams(useWantedLocation().search), place)
  const { query } = address

  return {
    address,
    show(changes, { replace = false } = {}) {
      const next = writeAddress({ query: { ...query, page: 1, ...changes }, opened: null }, place)
      void navigate(next, { replace, preventScrollReset: true })
    },
    pathOf: (page) => writeAddress({ query: { ...query, page }, opened: null }, place),
    open(opened, { replace = false } = {}) {
      // What replaces something was opened from where that was.
      const state = replace ? current.state : fromList
      void navigate(writeAddress({ query, opened }, place), { replace, state, preventScrollReset: true })
    },
    close() {
      // Opened from the list: one step back, so that Back afterwards doesn't open it again. A sent link has
      // nothing of ours behind it.
      if (isFromList(current.state)) void navigate(-1)
      else {
        const closed = writeAddress({ query, opened: null }, place)
        void navigate(closed, { replace: true, preventScrollReset: true })
      }
    },
  }
}

function isFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'openedFromList' in state
}

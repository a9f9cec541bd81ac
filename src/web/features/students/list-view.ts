import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import {
  defaultPageSize,
  type StudentFilters,
  type StudentSortKey,
  studentSortKeys,
} from '#shared/students/students.ts'
import { useAccount } from '#web/lib/account.ts'
import { createStoredText } from '#web/lib/stored-text.ts'

export const pageSizes = [25, 50, 100, 200] as const
const listViewSchema = z.object({
  /** Null until columns are chosen. */
  hidden: z.catch(z.nullable(z.array(z.enum(studentSortKeys))), null),
  isRoomy: z.catch(z.boolean(), false),
  pageSize: z.catch(z.literal(pageSizes), defaultPageSize),
  /** The widths of the columns, in px on the screen where they were dragged. On another screen they keep their proportions. */
  widths: z.catch(z.partialRecord(z.enum(studentSortKeys), z.number().check(z.positive())), {}),
  saved: z.catch(z.array(z.object({ name: z.string(), path: z.string() })), []),
})

/** How this device shows the list to an account. Saved views contain filters, but never a search: it may be a name. */
export type ListView = z.infer<typeof listViewSchema>

const key = 'nstp-students-view'
const initial = listViewSchema.parse({})
let cached: { text: string | null; view: ListView } = { text: null, view: initial }
let latest = { id: '', stored: createStoredText(key) }

/** The next account at this browser has its own. */
function storedOf(id: string) {
  if (latest.id !== id) latest = { id, stored: createStoredText(`${key}-${id}`, key) }
  return latest.stored
}

function readView(stored: ReturnType<typeof createStoredText>): ListView {
  const text = stored.read()
  if (text !== cached.text) cached = { text, view: parseView(text) }
  return cached.view
}

function parseView(text: string | null): ListView {
  try {
    return listViewSchema.parse(JSON.parse(text ?? '{}'))
  } catch {
    // Written by another release, or by hand.
    return initial
  }
}

export function useWriteView(): (view: ListView) => void {
  const { id } = useAccount()
  return (view) => storedOf(id).write(JSON.stringify(view))
}

export function useListView(): ListView {
  const stored = storedOf(useAccount().id)
  return useSyncExternalStore(
    stored.subscribe,
    () => readView(stored),
    () => initial,
  )
}

/** The columns that aren't shown: the chosen ones or, until there are any, those that a filter says already. */
export function useHiddenColumns(
  query: Pick<StudentFilters, 'archive' | 'academicYear'>,
): readonly StudentSortKey[] {
  return useListView().hidden ?? columnsSaidBy(query)
}

/** The columns that the filters make needless, and the one that is read least: a small laptop has no room for it (decision 048). */
function columnsSaidBy({ archive, academicYear }: Pick<StudentFilters, 'archive' | 'academicYear'>) {
  const said: StudentSortKey[] = ['emergencyContact']
  if (archive !== 'all') said.push('status')
  if (academicYear !== 'all') said.push('academicYear')
  return said
}

import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { defaultPageSize, type StudentSortKey, studentSortKeys } from '#shared/students/students.ts'
import { useMediaQuery } from '#web/lib/media-query.ts'
import { createStoredText } from '#web/lib/stored-text.ts'

export const pageSizes = [25, 50, 100, 200] as const
const listViewSchema = z.object({
  /** Null until columns are chosen. */
  hidden: z.catch(z.nullable(z.array(z.enum(studentSortKeys))), null),
  isRoomy: z.catch(z.boolean(), false),
  pageSize: z.catch(z.literal(pageSizes), defaultPageSize),
  saved: z.catch(z.array(z.object({ name: z.string(), path: z.string() })), []),
})

/** How this device shows the list. Saved views contain filters, but never a search: it may be a name. */
type ListView = z.infer<typeof listViewSchema>

const stored = createStoredText('nstp-students-view')
const initial = listViewSchema.parse({})
let cached: { text: string | null; view: ListView } = { text: null, view: initial }

function readView(): ListView {
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

export function writeView(view: ListView): void {
  stored.write(JSON.stringify(view))
}

export function useListView(): ListView {
  return useSyncExternalStore(stored.subscribe, readView, () => initial)
}

export const tightColumn = 'emergencyContact'
/** Hides it by the same width before scripts run. */
export const tightClass = '[@media(80rem<=width<85rem)]:hidden'

/** On a small laptop not all columns fit beside a name in one line. */
export function useHiddenColumns(): readonly StudentSortKey[] {
  const isTight = useMediaQuery('(80rem <= width < 85rem)')
  return useListView().hidden ?? (isTight ? [tightColumn] : [])
}

import { Autocomplete } from '@base-ui/react/autocomplete'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Users } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createSearchParams, useLocation } from 'react-router'
import type { StudentView } from '#shared/students/student-response.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { keepNextEnter } from '#web/lib/focus.ts'
import { recordKey } from '#web/lib/query.ts'
import { runAfter } from '#web/lib/timers.ts'
import {
  findMenuItems,
  type MenuItem,
  menuByCategory,
  SearchFrame,
  searchInput,
  useOpenItem,
  useOpenItems,
} from './menu.tsx'

interface Group {
  category: string
  items: readonly MenuItem[]
}

// The pause after the last key, in ms.
const pauseMs = 200

/** What is found besides the menu's screens; loaded when the search is first used. */
export interface SearchSources {
  menu: readonly MenuItem[]
  load: () => Promise<{
    targets: readonly MenuItem[]
    findStudents: (search: string, signal: AbortSignal) => Promise<readonly MenuItem[]>
    studentTarget: (student: StudentView) => MenuItem
  }>
}

interface QuickSearchProps extends SearchSources {
  /** What was typed before it was loaded. */
  typed: string
  isFocused: boolean
}

/** Screens, settings, actions and students. Ctrl K leads to it from every screen. */
export function QuickSearch({ menu, load, typed, isFocused }: QuickSearchProps) {
  const open = useOpenItem()
  const [text, setText] = useState(typed)
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const takesFocus = useRef(isFocused)
  const groups = useMatches(text, isOpen, { menu, load })
  // Enter in an empty search leads nowhere.
  const first = text.trim() === '' ? undefined : groups[0]?.items[0]

  // The focus moves before the next key arrives.
  useLayoutEffect(() => {
    if (takesFocus.current) input.current?.focus()
    takesFocus.current = false
  }, [])

  function type(value: string) {
    setText(value)
    setOpen(true)
  }

  function close() {
    setText('')
    setOpen(false)
  }

  function go(item: MenuItem) {
    close()
    keepNextEnter()
    open(item)
  }

  return (
    <SearchFrame
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Escape') close()
        // Faster than the mark of the first one, with which the list takes the key itself.
        if (key === 'Enter' && first && !nativeEvent.isComposing) go(first)
        if (key === 'ArrowDown') setOpen(true)
      }}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setOpen(false)}
    >
      <Autocomplete.Root
        inline
        open
        items={isOpen ? groups : []}
        filter={null}
        // An empty search highlights nothing until an arrow key is pressed.
        autoHighlight={text.trim() === '' ? false : 'always'}
        value={text}
        itemToStringValue={({ title }: MenuItem) => title}
        onValueChange={(value, { reason }) => reason === 'input-change' && type(value)}
      >
        <Autocomplete.Input
          {...searchInput}
          ref={input}
          aria-expanded={isOpen}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
        />
        <Autocomplete.List
          aria-label="Search results"
          className={clsx(
            'fixed inset-x-2 top-15 z-30 max-h-[70dvh] overflow-y-auto rounded-box border bg-card p-1 text-fg shadow-card sm:absolute sm:inset-x-0 sm:top-full sm:mt-1 sm:min-w-[min(28rem,60vw)]',
            !isOpen && 'hidden',
          )}
        >
          {({ category, items }: Group) => (
            <Autocomplete.Group key={category} items={items}>
              <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-xs font-semibold text-muted">
                {category}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(item: MenuItem) => (
                  <Autocomplete.Item
                    // Several lead to the same screen.
                    key={`${item.to} ${item.title}`}
                    value={item}
                    // The press must not take the focus away before the click arrives.
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => go(item)}
                    className="flex min-h-9 cursor-pointer flex-wrap items-center gap-x-3 rounded-box px-3 py-1 text-sm outline-hidden data-highlighted:bg-soft max-md:min-h-11"
                  >
                    <item.Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
                    <bdi className="min-w-0 flex-1 basis-20 wrap-anywhere">{item.title}</bdi>
                    <span className="ml-auto text-xs text-muted">{item.note}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </SearchFrame>
  )
}

function useMatches(text: string, isOpen: boolean, { menu, load }: SearchSources): Group[] {
  const wanted = text.trim()
  const [search, setSearch] = useState(wanted)
  useEffect(() => runAfter(pauseMs, () => setSearch(wanted)), [wanted])
  const { data: sources } = useQuery({
    queryKey: ['settings', 'search'],
    queryFn: load,
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: students = [], isPlaceholderData } = useQuery({
    queryKey: ['students', 'found', search],
    queryFn: async ({ signal }) => (await load()).findStudents(search, signal),
    enabled: isOpen && search.length > 1,
    placeholderData: keepPreviousData,
  })
  const recent = useRecentStudents()
  // Students found for an earlier text stay only if they match this one: Enter would open another student than is meant.
  const found = isPlaceholderData || search !== wanted ? findMenuItems(wanted, students) : students
  // The list is offered only when the rest is there: Enter would take it instead of what is meant.
  const others = sources ? [listOf(wanted)] : []
  const openItems = useOpenItems()
  const all = openItems([...menu, ...(sources?.targets ?? [])])
  const groups =
    wanted === ''
      ? [
          { category: 'Recent students', items: sources ? recent.map(sources.studentTarget) : [] },
          ...byCategory(openItems(menu)),
        ]
      : [
          ...byCategory(findMenuItems(wanted, all)),
          { category: 'Students', items: [...(wanted.length > 1 ? found : []), ...others] },
        ]
  return groups.filter(({ items }) => items.length > 0)
}

const mostRecent = 5

/** The records opened in this page, the last one first. In memory only: names don't stay on the device. */
function useRecentStudents(): readonly StudentView[] {
  const params = createSearchParams(useLocation().search)
  const id = params.get('student') ?? params.get('edit') ?? params.get('form')
  const [recent, setRecent] = useState<readonly StudentView[]>([])
  // Only what the screen itself reads: its modal has the same key.
  const { data: opened } = useQuery<StudentView>({
    queryKey: recordKey(id ?? ''),
    enabled: false,
    gcTime: 0,
  })
  useEffect(() => {
    if (opened)
      setRecent((before) => [opened, ...before.filter((each) => each.id !== opened.id)].slice(0, mostRecent))
  }, [opened])
  return recent
}

function byCategory(items: readonly MenuItem[]): Group[] {
  return menuByCategory(items).map(([category, items]) => ({ category, items }))
}

function listOf(search: string): MenuItem {
  return {
    title: `Search the students for “${search}”`,
    category: 'Students',
    to: tabPath('students', { search, archive: 'all' }),
    Icon: Users,
  }
}

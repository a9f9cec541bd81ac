import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Cell, DataTable, HeadCell, ListTable } from '#web/components/data-table.tsx'
import { type MenuEntry, RowMenu } from '#web/components/menu.tsx'
import { PageSteps, Pagination } from '#web/components/pagination.tsx'
import { SearchBox } from '#web/components/search-box.tsx'
import { SelectionBar } from '#web/components/selection-bar.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function open(element: ReactNode) {
  const router = createMemoryRouter([{ path: '*', element }])
  render(<RouterProvider router={router} />)
  return router
}

const linkNames = () =>
  screen.queryAllByRole('link').map((link) => link.getAttribute('aria-label') ?? link.textContent)
const addressOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

describe('a table', () => {
  test('can be scrolled by the keyboard, has a name, and says when newer rows are on their way', async () => {
    open(
      <DataTable caption="Students" busy>
        <tbody>
          <tr>
            <Cell>Ana</Cell>
          </tr>
        </tbody>
      </DataTable>,
    )
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Students' }))
    expect(screen.getByRole('table', { name: 'Students' }).getAttribute('aria-busy')).toBe('true')
  })

  test('is sorted by its headings, also by the keyboard, and each says how', async () => {
    const onSort = vi.fn<() => void>()
    open(
      <DataTable caption="Students">
        <thead>
          <tr>
            <HeadCell sort="descending" onSort={onSort}>
              Name
            </HeadCell>
            <HeadCell sort="none" onSort={onSort}>
              Course
            </HeadCell>
            <HeadCell>Actions</HeadCell>
          </tr>
        </thead>
      </DataTable>,
    )
    const heads = screen.getAllByRole('columnheader')
    expect(heads.map((head) => head.getAttribute('aria-sort'))).toEqual(['descending', 'none', null])
    expect(heads.map((head) => within(head).queryAllByRole('button').length)).toEqual([1, 1, 0])
    act(() => screen.getByRole('button', { name: 'Course' }).focus())
    await userEvent.keyboard('{Enter}')
    expect(onSort).toHaveBeenCalledTimes(1)
  })

  test('of items has the head of a value beside it on a phone, and a cell of phones alone has none', () => {
    open(
      <ListTable
        caption="People"
        items={[
          { id: 'ana', role: 'Registrar', phone: '0917' },
          { id: 'ben', role: '', phone: '' },
        ]}
        columns={[
          { head: 'Name', isRowHead: true, cell: ({ id }) => id },
          { head: 'Role', value: ({ role }) => role },
          { head: '', cell: ({ phone }) => phone },
        ]}
        menu={({ id }) => `menu of ${id}`}
      />,
    )
    const texts = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent)
    expect(texts('columnheader')).toEqual(['Name', 'Role', 'Actions'])
    expect(texts('rowheader')).toEqual(['ana', 'ben'])
    expect(texts('cell')).toEqual(['Role: Registrar', '0917', 'menu of ana', 'Role: –', 'menu of ben'])
  })
})

describe('the pages of a list', () => {
  const show = (page: number, total: number) =>
    open(
      <Pagination page={page} pageSize={50} total={total} noun="student" to={(to) => `/list?page=${to}`} />,
    )
  const steps = ['First page', 'Previous page', 'Next page', 'Last page']

  test.each([
    { page: 1, total: 1_234, text: '1–50 of 1,234 students', links: steps.slice(2) },
    { page: 2, total: 1_234, text: '51–100 of 1,234 students', links: steps },
    { page: 25, total: 1_234, text: '1,201–1,234 of 1,234 students', links: steps.slice(0, 2) },
    { page: 1, total: 50, text: '1–50 of 50 students', links: [] },
    { page: 2, total: 51, text: '51 of 51 students', links: steps.slice(0, 2) },
    { page: 1, total: 1, text: '1 of 1 student', links: [] },
    { page: 1, total: 0, text: '0 of 0 students', links: [] },
  ])('page $page of $total students', ({ page, total, text, links }) => {
    show(page, total)
    const pages = screen.getByRole('navigation', { name: 'Pagination' })
    expect(pages.querySelector('[aria-live="polite"]')?.textContent).toBe(text)
    expect(linkNames()).toEqual(links)
  })

  test('have addresses of their own', () => {
    show(3, 1_234)
    expect(steps.map(addressOf)).toEqual(['/list?page=1', '/list?page=2', '/list?page=4', '/list?page=25'])
    expect(screen.getByText('Page 3 of 25')).toBeTruthy()
  })

  test.each([
    { cursor: '', nextCursor: null, links: [] },
    { cursor: '', nextCursor: 'b', links: ['Older'] },
    { cursor: 'b', nextCursor: 'c', links: ['Newest', 'Older'] },
    { cursor: 'c', nextCursor: null, links: ['Newest'] },
  ])('without a number, from "$cursor" on to $nextCursor', ({ cursor, nextCursor, links }) => {
    open(
      <PageSteps
        list={{ values: { cursor }, to: (page) => `/list?from=${page.cursor}` }}
        nextCursor={nextCursor}
        first="Newest"
        next="Older"
      />,
    )
    expect(linkNames()).toEqual(links)
    if (nextCursor !== null) expect(addressOf('Older')).toBe(`/list?from=${nextCursor}`)
    if (cursor !== '') expect(addressOf('Newest')).toBe('/list?from=')
  })
})

test('what is selected is read out, and its buttons are there while something is', async () => {
  const onClear = vi.fn<() => void>()
  const bar = (size: number) => (
    <SelectionBar size={size} onClear={onClear}>
      <button type="button">Archive</button>
    </SelectionBar>
  )
  const { rerender } = render(bar(0))
  // In the page before: only a change of it is read out.
  const status = screen.getByRole('status')
  expect(status.textContent).toBe('')
  expect(screen.queryAllByRole('button')).toEqual([])
  rerender(bar(1_200))
  expect(screen.getByRole('status')).toBe(status)
  expect(status.textContent).toBe('1,200 selected')
  expect(screen.getByRole('button', { name: 'Archive' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(onClear).toHaveBeenCalledTimes(1)
})

/** A list whose address follows the box, and other links. */
function Searched({ onSearch }: { onSearch: (search: string) => void }) {
  const [value, setValue] = useState('')
  return (
    <>
      <SearchBox
        id="search"
        placeholder="Search by name"
        mostLetters={100}
        value={value}
        onSearch={(search) => {
          onSearch(search)
          setValue(search)
        }}
      />
      <button type="button" onClick={() => setValue('a view')}>
        A view
      </button>
    </>
  )
}

describe('the search of a list', () => {
  function start() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const onSearch = vi.fn<(search: string) => void>()
    render(<Searched onSearch={onSearch} />)
    const box = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
    const type = (value: string) => fireEvent.change(box, { target: { value } })
    const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
    return { box, type, pass, searched: () => onSearch.mock.calls.map(([search]) => search) }
  }

  test('comes once, 300 ms after the last letter, or at once by Enter', () => {
    const { box, type, pass, searched } = start()
    type('dela')
    pass(299)
    type('dela c')
    pass(299)
    expect(searched()).toEqual([])
    pass(1)
    expect(searched()).toEqual(['dela c'])
    type('dela cruz')
    fireEvent.keyDown(box, { key: 'Enter' })
    pass(1_000)
    expect(searched()).toEqual(['dela c', 'dela cruz'])
  })

  test('that is too long is reported and kept, and the list stays', () => {
    const { box, type, pass, searched } = start()
    const pasted = 'x'.repeat(101)
    type(pasted)
    pass(1_000)
    const sentence = 'Please shorten the search to 100 characters or fewer.'
    expect(screen.getByRole('status').textContent).toBe(sentence)
    expect(box.getAttribute('aria-invalid')).toBe('true')
    expect(box.getAttribute('aria-describedby')).toBe(screen.getByText(sentence).closest('[id]')?.id)
    expect(box.value).toBe(pasted)
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(searched()).toEqual([])
    // Of spaces at its ends nothing counts.
    type(`  ${'x'.repeat(100)}  `)
    pass(1_000)
    expect(screen.getByRole('status').textContent).toBe('')
    expect(searched()).toEqual(['x'.repeat(100)])
  })

  test('takes a tab of a spreadsheet for a space', () => {
    const { type, pass, searched } = start()
    type('De la\tCruz')
    pass(300)
    expect(searched()).toEqual(['De la Cruz'])
  })

  test('is not changed while one types, and follows what was chosen elsewhere', () => {
    const { box, type, pass, searched } = start()
    type('dela ')
    pass(300)
    expect(searched()).toEqual(['dela'])
    expect(box.value).toBe('dela ')
    fireEvent.click(screen.getByRole('button', { name: 'A view' }))
    expect(box.value).toBe('a view')
    pass(1_000)
    expect(searched()).toEqual(['dela'])
  })
})

describe('the menu of a row', () => {
  const onEdit = vi.fn<() => void>()
  const onArchive = vi.fn<() => void>()
  const entries: MenuEntry[] = [
    { label: 'Edit', onSelect: onEdit },
    { label: 'Archive', onSelect: onArchive, disabled: true },
    { label: 'Profile', to: '/profile' },
  ]
  const trigger = () => screen.getByRole('button', { name: 'Actions for Ana' })
  const focused = () => document.activeElement?.textContent

  async function openByKeys() {
    const router = open(<RowMenu of="Ana" entries={entries} />)
    act(() => trigger().focus())
    const user = userEvent.setup()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(focused()).toBe('Edit'))
    return { user, router }
  }

  test('is opened by Enter, and Escape gives the focus back', async () => {
    const { user } = await openByKeys()
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Edit',
      'Archive',
      'Profile',
    ])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(trigger()))
    expect(onEdit).not.toHaveBeenCalled()
  })

  test('is chosen from by the arrow keys; what is not possible does nothing', async () => {
    const { user, router } = await openByKeys()
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(focused()).toBe('Archive'))
    await user.keyboard('{Enter}')
    expect(onArchive).not.toHaveBeenCalled()
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(focused()).toBe('Profile'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/profile'))
  })

  test('does what was chosen once, and closes', async () => {
    const { user } = await openByKeys()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(onEdit).toHaveBeenCalledTimes(1)
  })
})

import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChartSection } from '#web/features/org-chart/chart-section.tsx'
import type { TreeNode } from '#web/features/org-chart/tree-node.ts'

const position = (id: string, parentId: string | null, name: string): TreeNode => {
  return { id, parentId, name, title: '', department: '', image: null }
}

const nodes = [
  position('director', null, 'Maria Santos'),
  position('rotc', 'director', 'Ramon Cruz'),
  position('training', 'rotc', 'Pedro Bautista'),
  position('clerk', 'training', 'Ana Lim'),
  position('cwts', 'director', 'Angelica Reyes'),
  position('assistant', 'cwts', 'Belen Uy'),
  position('lts', 'director', 'Jose Peña'),
  position('board', null, 'Carla Tan'),
  position('member', 'board', 'Dina Go'),
]

/** Notices of changes, of which none come here. */
class Silence extends EventTarget {
  close = () => undefined
}

beforeEach(() => vi.stubGlobal('EventSource', Silence))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open() {
  const chart = { data: { nodes, total: nodes.length }, failure: null }
  const router = createMemoryRouter([{ path: '/', element: <ChartSection chart={chart} /> }])
  render(<RouterProvider router={router} />)
  const user = userEvent.setup()
  const tree = screen.getByRole('tree', { name: 'Organizational chart' })
  return { user, tree, press: (keys: string) => user.keyboard(keys) }
}

const item = (name: string) => screen.getByRole('treeitem', { name: new RegExp(`^${name}`) })
const isShown = (name: string) => screen.queryByRole('treeitem', { name: new RegExp(`^${name}`) }) !== null
const focused = () => document.activeElement?.getAttribute('aria-label')?.split(',')[0]
const stops = (tree: HTMLElement) =>
  within(tree)
    .getAllByRole('treeitem')
    .filter(({ tabIndex }) => tabIndex === 0)

test('a position tells its level and its place beside the others', () => {
  open()
  const placeOf = (name: string) =>
    ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map((each) =>
      item(name).getAttribute(each),
    )
  expect(placeOf('Maria Santos')).toEqual(['1', '1', '2', 'true'])
  expect(placeOf('Angelica Reyes')).toEqual(['2', '2', '3', 'true'])
  expect(placeOf('Ana Lim')).toEqual(['4', '1', '1', null])
  expect(placeOf('Carla Tan')).toEqual(['1', '2', '2', 'true'])
})

test('Tab leads to one position only, and later to the one that had the focus', async () => {
  const { user, tree, press } = open()
  expect(stops(tree)).toEqual([item('Maria Santos')])
  while (!tree.contains(document.activeElement)) await user.tab()
  expect(focused()).toBe('Maria Santos')
  await press('{ArrowDown}{ArrowDown}')
  await user.tab({ shift: true })
  expect(tree.contains(document.activeElement)).toBe(false)
  await user.tab()
  expect(focused()).toBe('Pedro Bautista')
  expect(stops(tree)).toEqual([item('Pedro Bautista')])
})

test('the keyboard walks through the whole tree', async () => {
  const { tree, press } = open()
  act(() => item('Maria Santos').focus())
  await press('{ArrowRight}')
  expect(focused()).toBe('Ramon Cruz')
  await press('{ArrowLeft}')
  expect(isShown('Pedro Bautista')).toBe(false)
  expect(item('Ramon Cruz').getAttribute('aria-expanded')).toBe('false')
  await press('{ArrowLeft}')
  expect(focused()).toBe('Maria Santos')
  await press('{ArrowDown}{ArrowDown}')
  expect(focused()).toBe('Angelica Reyes')
  await press('{ArrowLeft}')
  expect(isShown('Belen Uy')).toBe(false)
  // Opens all positions beside it.
  await press('*')
  expect(isShown('Pedro Bautista')).toBe(true)
  expect(isShown('Belen Uy')).toBe(true)
  await press('{End}')
  expect(focused()).toBe('Dina Go')
  await press('{Home}')
  expect(focused()).toBe('Maria Santos')
  await press('jo')
  expect(focused()).toBe('Jose Peña')
  await press('{Enter}')
  expect(item('Jose Peña').getAttribute('aria-selected')).toBe('true')
  await press(' ')
  expect(item('Jose Peña').getAttribute('aria-selected')).toBe('false')
  expect(stops(tree)).toHaveLength(1)
})

test('where what had the focus is closed, its nearest position above is the stop', async () => {
  const { user, tree, press } = open()
  act(() => item('Ana Lim').focus())
  await user.click(within(item('Ramon Cruz')).getByRole('button', { name: /^Collapse/ }))
  expect(focused()).toBe('Ramon Cruz')
  await press('{ArrowRight}{ArrowRight}')
  expect(focused()).toBe('Pedro Bautista')
  act(() => item('Dina Go').focus())
  await user.click(screen.getByRole('button', { name: 'Collapse all' }))
  expect(stops(tree)).toEqual([item('Carla Tan')])
})

test('letters typed slowly are searches of their own', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { press } = open()
    act(() => item('Maria Santos').focus())
    await press('p')
    expect(focused()).toBe('Pedro Bautista')
    vi.setSystemTime(Date.now() + 700)
    await press('a')
    expect(focused()).toBe('Ana Lim')
    await press('n')
    expect(focused()).toBe('Ana Lim')
    await press('g')
    expect(focused()).toBe('Angelica Reyes')
  } finally {
    vi.useRealTimers()
  }
})

test('keys with Ctrl, Alt and Shift, and those of a button in it, are not the tree’s', async () => {
  const { press } = open()
  act(() => item('Ramon Cruz').focus())
  for (const keys of [
    '{Control>}{End}{/Control}',
    '{Alt>}{ArrowDown}{/Alt}',
    '{Shift>}{ArrowLeft}{/Shift}',
  ]) {
    await press(keys)
    expect(focused()).toBe('Ramon Cruz')
  }
  expect(isShown('Pedro Bautista')).toBe(true)
  act(() =>
    within(item('Ramon Cruz'))
      .getByRole('button', { name: /^Collapse/ })
      .focus(),
  )
  await press('{Enter}')
  expect(isShown('Pedro Bautista')).toBe(false)
  expect(item('Ramon Cruz').getAttribute('aria-selected')).toBe('false')
})

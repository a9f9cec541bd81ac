import { describe, expect, test } from 'vitest'
import { nestNodes } from '#shared/org-chart/org-tree.ts'
import type { TreeNode } from './tree-node.ts'
import { actOfKey, actOfTyping } from './tree-view.tsx'

function node(id: string, parentId: string | null, name = id): TreeNode {
  return { id, parentId, name, title: '', department: '', image: null }
}

const roots = nestNodes([
  node('dean', null, 'Maria Peña'),
  node('rotc', 'dean', 'Ángel Cruz'),
  node('sergeant', 'rotc', 'Marco Reyes'),
  node('cwts', 'dean', 'Marites Uy'),
  node('guest', 'cwts', 'Ben Go'),
  node('board', null, 'Carla Tan'),
])

function press(key: string, activeId: string, ...expanded: string[]) {
  return actOfKey(key, { roots, expanded: new Set(expanded), activeId })
}

describe('a key in the tree', () => {
  test.each([
    ['ArrowDown', 'dean', 'rotc'],
    ['ArrowDown', 'cwts', 'board'],
    ['ArrowUp', 'board', 'cwts'],
    ['Home', 'cwts', 'dean'],
    ['End', 'dean', 'board'],
    ['ArrowRight', 'dean', 'rotc'],
    ['ArrowLeft', 'cwts', 'dean'],
  ])('%s leads from %s to %s, past what is closed', (key, from, to) => {
    expect(press(key, from, 'dean')).toEqual({ kind: 'focus', id: to })
  })

  test.each([
    ['ArrowUp', 'dean'],
    ['ArrowDown', 'board'],
    ['ArrowRight', 'board'],
    ['ArrowLeft', 'dean'],
    ['F2', 'dean'],
  ])('%s at %s does nothing where nothing is closed or open', (key, from) => {
    expect(press(key, from)).toBeUndefined()
  })

  test('to the right opens first, to the left closes first', () => {
    expect(press('ArrowRight', 'rotc', 'dean')).toEqual({ kind: 'toggle', ids: ['rotc'], isOpen: true })
    expect(press('ArrowLeft', 'dean', 'dean')).toEqual({ kind: 'toggle', ids: ['dean'], isOpen: false })
  })

  test('* opens all siblings that have something under them', () => {
    expect(press('*', 'rotc', 'dean')).toEqual({ kind: 'toggle', ids: ['rotc', 'cwts'], isOpen: true })
    expect(press('*', 'board')).toEqual({ kind: 'toggle', ids: ['dean'], isOpen: true })
  })

  test('Enter and the space bar highlight', () => {
    expect(press('Enter', 'dean')).toEqual({ kind: 'highlight', id: 'dean' })
    expect(press(' ', 'dean')).toEqual({ kind: 'highlight', id: 'dean' })
  })
})

describe('typed letters', () => {
  function type(typed: string, activeId: string) {
    return actOfTyping(typed, { roots, expanded: new Set(['dean']), activeId })
  }

  test('select the next visible name that begins with them, wrapping around', () => {
    expect(type('m', 'dean')).toEqual({ kind: 'focus', id: 'cwts' })
    expect(type('m', 'cwts')).toEqual({ kind: 'focus', id: 'dean' })
    expect(type('M', 'board')).toEqual({ kind: 'focus', id: 'dean' })
  })

  test('the same one several times goes on each time', () => {
    expect(type('mm', 'dean')).toEqual({ kind: 'focus', id: 'cwts' })
  })

  test('more of them may stay where they are', () => {
    expect(type('mari', 'dean')).toEqual({ kind: 'focus', id: 'dean' })
    expect(type('marit', 'dean')).toEqual({ kind: 'focus', id: 'cwts' })
  })

  test('do not find what is closed', () => {
    expect(type('ben', 'dean')).toBeUndefined()
  })
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flattenBranches, nestNodes } from '#shared/org-chart/org-tree.ts'
import { forests } from '#tests/factories/org-forest.ts'
import { drawChart } from './chart-drawing.ts'
import type { Measure, Shape } from './chart-shapes.ts'
import type { TreeNode } from './tree-node.ts'

const measure: Measure = (text, size) => [...text].length * size * 0.6

function draw(places: readonly (Partial<TreeNode> & { id: string; parentId: string | null })[]) {
  const nodes = places.map(
    (place): TreeNode => ({ name: place.id, title: '', department: '', image: null, ...place }),
  )
  return drawChart('Organizational chart', nestNodes(nodes), measure)
}

function boxesOf(shapes: readonly Shape[]) {
  return shapes.flatMap((shape) => (shape.kind === 'box' && shape.fill !== 'none' ? [shape] : []))
}

describe('a drawn chart', () => {
  test('has a box for every node, none over another, all on the paper', () => {
    fc.assert(
      fc.property(forests, (places) => {
        const { width, height, shapes } = draw(places)
        const boxes = boxesOf(shapes)
        expect(boxes).toHaveLength(flattenBranches(nestNodes(places)).length)
        boxes.forEach((box, index) => {
          expect(box.x >= 0 && box.y >= 0).toBe(true)
          expect(box.x + box.width <= width && box.y + box.height <= height).toBe(true)
          for (const other of boxes.slice(index + 1)) {
            const isApart =
              box.x + box.width <= other.x ||
              other.x + other.width <= box.x ||
              box.y + box.height <= other.y ||
              other.y + other.height <= box.y
            expect(isApart).toBe(true)
          }
        })
      }),
    )
  })

  test('shows a node’s name, title, department and level', () => {
    const { shapes } = draw([
      { id: 'dean', parentId: null, name: 'Dr. Maria Peña', title: 'Director', department: 'Administration' },
    ])
    const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
    expect(texts).toEqual(
      expect.arrayContaining(['MP', 'Dr. Maria Peña', 'Director', 'Administration', 'Executive']),
    )
  })

  test('names every level in its legend', () => {
    const texts = draw([]).shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
    for (const level of [
      'Executive',
      'Senior Management',
      'Middle Management',
      'Junior Management',
      'Staff',
    ]) {
      expect(texts).toContain(level)
    }
  })

  test('has room for a name of many lines', () => {
    const name = 'Maria Concepcion Immaculada de los Santos y Villanueva-Rodriguez '.repeat(2)
    const [short] = boxesOf(draw([{ id: 'a', parentId: null, name: 'Ben Go' }]).shapes)
    const [long] = boxesOf(draw([{ id: 'a', parentId: null, name }]).shapes)
    expect(long?.height).toBeGreaterThan((short?.height ?? 0) + 60)
    expect(long?.width).toBe(short?.width)
  })

  test('takes the smallest photo that is sharp', () => {
    const file = (width: number) => ({ url: `/api/files/${width}.webp`, width })
    const image = {
      width: 256,
      height: 256,
      webp: [file(96), file(128), file(256)],
      jpeg: { ...file(256), height: 256 },
    }
    const { shapes } = draw([{ id: 'a', parentId: null, image }])
    expect(shapes).toContainEqual(expect.objectContaining({ kind: 'photo', url: '/api/files/128.webp' }))
  })
})

import { expect, test } from 'vitest'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { summarizeChart } from './chart-summary.ts'

function position(id: string, parentId: string | null): OrgNode {
  const texts = {
    name: `Officer ${id}`,
    title: '',
    department: '' as const,
    imageUrl: null,
    image: null,
    createdAt: 0,
  }
  return { id, parentId, order: 0, version: 1, ...texts }
}

test('a large chart shows three levels and counts what it leaves out', () => {
  const second = Array.from({ length: 8 }, (_, index) => position(`2.${index}`, '1'))
  const third = Array.from({ length: 6 }, (_, index) => position(`3.${index}`, '2.0'))
  const { positions, total } = summarizeChart([
    position('1', null),
    ...second,
    ...third,
    position('4', '3.0'),
  ])
  expect(total).toBe(16)
  expect(positions.map(({ id, more }) => [id, more])).toEqual([['1', 2]])
  const [head] = positions[0]?.below ?? []
  expect(positions[0]?.below.length).toBe(6)
  expect([head?.below.length, head?.more]).toEqual([4, 2])
  expect(head?.below[0]).toMatchObject({ id: '3.0', below: [], more: 0 })
})

test('a chart of five coordinators at the top shows two and counts the others', () => {
  const chart = Array.from({ length: 5 }, (_, index) => position(`1.${index}`, null))
  const { positions, more, total } = summarizeChart(chart)
  expect(positions.map(({ id }) => id)).toEqual(['1.0', '1.1'])
  expect([more, total]).toEqual([3, 5])
})

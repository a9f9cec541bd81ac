import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { Section } from '#web/lib/section.ts'
import { ChartSection } from './chart-section.tsx'
import type { ChartExcerpt, TreeNode } from './tree-node.ts'

function serve(chart: Section<ChartExcerpt>): string {
  const router = createMemoryRouter([{ path: '/', element: <ChartSection chart={chart} isStatic /> }])
  return renderToStaticMarkup(<RouterProvider router={router} />)
}

function node(id: string, parentId: string | null): TreeNode {
  return { id, parentId, name: `Officer ${id}`, title: '', department: '', image: null }
}

describe('the section as the server sends it', () => {
  test('is a plain list until scripts make it a tree', () => {
    const nodes = [node('1', null), node('2', '1')]
    const html = serve({ data: { nodes, total: 2 }, failure: null })
    expect(html).toContain('Officer 2')
    expect(html).not.toMatch(/role="(tree|treeitem|group)"/)
    expect(html).not.toContain('<noscript>')
  })

  test('sets each name in the direction that it is written in', () => {
    const html = serve({ data: { nodes: [{ ...node('1', null), name: 'عمر' }], total: 1 }, failure: null })
    expect(html).toMatch(/<span dir="auto"[^>]*>عمر</)
  })

  test('has collapsed nodes only for browsers without scripts', () => {
    const nodes = [node('1', null), ...Array.from({ length: 40 }, (_, index) => node(`${index + 2}`, '1'))]
    const html = serve({ data: { nodes, total: 90 }, failure: null })
    expect(html.replaceAll(/<noscript>.*?<\/noscript>/g, '')).not.toContain('Officer 2')
    expect(html).toMatch(/<noscript>.*Officer 41.*<\/noscript>/)
    expect(html).toContain('Showing 41 of 90 positions.')
  })

  test('says that it is empty', () => {
    const html = serve({ data: { nodes: [], total: 0 }, failure: null })
    expect(html).toContain('No organizational chart data available')
    expect(html).not.toContain('Expand all')
  })

  test('says why it could not be read, and offers another try', () => {
    const sentence = 'Failed to load organizational chart: The service is unavailable.'
    const html = serve({ data: null, failure: sentence })
    expect(html).toContain(sentence)
    expect(html).toContain('Retry')
    expect(html).not.toContain('No organizational chart data available')
  })
})

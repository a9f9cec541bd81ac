import type { ReactNode } from 'react'
import type { OrgBranch } from '#shared/org-tree.ts'
import { drawChart } from './chart-drawing.ts'
import { paintImage } from './chart-image.ts'
import { paperOf } from './chart-paper.ts'
import { loadPhotos } from './chart-photos.ts'
import { ChartSheet } from './chart-sheet.tsx'
import type { Measure } from './chart-text.ts'
import { allExpanded } from './tree-expansion.ts'
import { LevelLegend } from './tree-level.tsx'
import type { TreeNode } from './tree-node.ts'
import { TreeView } from './tree-view.tsx'
import './chart-paper.css'

/** The whole chart as a PNG. */
export function drawImage(title: string, roots: readonly OrgBranch<TreeNode>[]): Promise<Blob> {
  return paintImage(drawChart(title, roots, measureWith(fontOfPage())), fontOfPage())
}

/** The whole chart as the one thing that is printed (chart-paper.css). */
export async function makeSheet(
  title: string,
  roots: readonly OrgBranch<TreeNode>[],
  view: 'chart' | 'list',
): Promise<ReactNode> {
  const drawing = drawChart(title, roots, measureWith(fontOfPage()))
  await loadPhotos(drawing)
  if (view === 'chart') {
    return (
      <div className="chart-paper" data-paper={paperOf(drawing)}>
        <ChartSheet drawing={drawing} title={title} />
      </div>
    )
  }
  return (
    <div className="chart-paper" data-paper="tall" data-view="list">
      <h1 className="mb-2 text-xl font-bold">{title}</h1>
      <div className="mb-4">
        <LevelLegend />
      </div>
      <TreeView
        label={title}
        roots={roots}
        expanded={allExpanded(roots)}
        highlighted={null}
        onToggle={nothing}
        onHighlight={nothing}
        isStatic
      />
    </div>
  )
}

function nothing(): void {
  // Paper can't be pressed.
}

function fontOfPage(): string {
  return getComputedStyle(document.body).fontFamily
}

/** How wide the browser sets a text. Texts are met again and again. */
function measureWith(fontFamily: string): Measure {
  const brush = document.createElement('canvas').getContext('2d')
  const known = new Map<string, number>()
  return (text, size, weight) => {
    if (brush === null) return text.length * size * 0.55
    const font = `${weight} ${size}px ${fontFamily}`
    const key = `${font} ${text}`
    const width = known.get(key)
    if (width !== undefined) return width
    brush.font = font
    const measured = brush.measureText(text).width
    known.set(key, measured)
    return measured
  }
}

import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { OrgBranch } from '#shared/org-chart/org-tree.ts'
import { allExpanded, type TreeNode } from './tree-node.ts'
import { LevelLegend, TreeView } from './tree-view.tsx'
import './chart-paper.css'

/** The whole chart, all open and in light colours, beside the page. */
export function makeSheet(
  title: string,
  roots: readonly OrgBranch<TreeNode>[],
  view: 'chart' | 'list',
): ReactNode {
  return createPortal(
    <div className="chart-paper" data-view={view} inert>
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
    </div>,
    document.body,
  )
}

function nothing(): void {
  // Paper can't be pressed.
}

// The longest wait for photos, in ms. Photos that load later are missing.
const patienceMs = 8_000

/** Loads the photos of the sheet that is in the page, and fits a chart to its paper. */
export async function readySheet(): Promise<void> {
  const sheet = document.querySelector<HTMLElement>('.chart-paper')
  if (sheet === null) throw new Error('The sheet is missing.')
  const photos = [...sheet.querySelectorAll('img')].map((photo) => {
    photo.loading = 'eager'
    return photo.decode()
  })
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs))
  await Promise.race([late, Promise.allSettled(photos)])
  if (sheet.dataset.view === 'chart') fitToPaper(sheet)
}

// A4 within margins of 12.7 mm, in CSS pixels.
const long = 1026
const short = 697

/** Upright where the chart fits, otherwise the orientation in which it is larger. */
function fitToPaper(sheet: HTMLElement): void {
  const { offsetWidth: width, offsetHeight: height } = sheet
  const upright = Math.min(1, short / width, long / height)
  const lying = Math.min(1, long / width, short / height)
  sheet.dataset.paper = lying > upright ? 'wide' : 'tall'
  // Rounding must not need a second page.
  sheet.style.setProperty('--paper-zoom', String(Math.max(upright, lying) * 0.98))
}

import { domToBlob } from 'modern-screenshot'
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

// In ms; photos that load later are missing.
const patienceMs = 8_000

/** Loads the photos of the sheet that is in the page, and fits a chart to its paper. */
export async function readySheet(): Promise<HTMLElement> {
  const sheet = document.querySelector<HTMLElement>('.chart-paper')
  if (sheet === null) throw new Error('The sheet is missing.')
  const photos = [...sheet.querySelectorAll('img')].map((photo) => {
    photo.loading = 'eager'
    return photo.decode()
  })
  const late = new Promise((resolve) => setTimeout(resolve, patienceMs))
  await Promise.race([late, Promise.allSettled(photos)])
  if (sheet.dataset.view === 'chart') fitToPaper(sheet)
  return sheet
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

// The styles that boxes, lines and texts of the chart use: copying all of 500 positions takes a phone 40 s.
const drawnProperties = `
  display position bottom left box-sizing width height min-width z-index flex-direction flex-wrap
  flex-grow flex-shrink flex-basis order row-gap column-gap align-items justify-content justify-items
  align-content grid-template-columns padding-top padding-right padding-bottom padding-left margin-top
  margin-bottom border-top border-right border-bottom border-left border-radius object-fit
  list-style-type background-color background-image background-position background-size
  background-repeat color font-family font-size font-weight line-height letter-spacing text-align
  overflow-wrap white-space direction unicode-bidi
`
  .trim()
  .split(/\s+/)

// Browsers limit the size of an image.
const greatestSide = 16_000
const greatestArea = 120_000_000

/** As sharp as a screen of twice the density, or as large as the browser can paint. */
export async function drawImage(sheet: HTMLElement): Promise<Blob> {
  const { offsetWidth: width, offsetHeight: height } = sheet
  const greatest = Math.min(
    greatestSide / Math.max(width, height),
    Math.sqrt(greatestArea / (width * height)),
  )
  for (let scale = Math.min(2, greatest); scale > 0.1; scale /= 2) {
    try {
      return await domToBlob(sheet, {
        scale,
        backgroundColor: '#fff',
        font: false,
        includeStyleProperties: drawnProperties,
        // Sources aren't loaded inside of an image, and would win over the photo that is.
        filter: (node) => !(node instanceof Element && node.matches('source, [data-toggle]')),
      })
    } catch {
      // Some browsers have lower limits.
    }
  }
  throw new Error('The chart is too large to save as an image in this browser.')
}

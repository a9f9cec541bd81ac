import { orgLevels } from '#shared/org-chart.ts'
import type { OrgBranch } from '#shared/org-tree.ts'
import { drawBox, drawLevel, framedForm, levelWidth, uprightForm } from './chart-box.ts'
import { type Drawing, inks, type Shape } from './chart-shapes.ts'
import type { Measure } from './chart-text.ts'
import { columnsOf, isFramed, type TreeNode } from './tree-node.ts'

/** Between neighbours, and the half of the room between two rows. */
const gap = 16
const lineRoom = 18
const frameGap = 8
const margin = 24
const headSize = 20
const legendGap = 20

/** A branch as it is drawn. Its top box is in the middle of its width. */
interface Block {
  width: number
  height: number
  at: (x: number, y: number) => Shape[]
}

/** The whole chart with heading and legend, everything open, in the same arrangement as on the screen. */
export function drawChart(title: string, roots: readonly OrgBranch<TreeNode>[], measure: Measure): Drawing {
  const legend = legendBlock(measure)
  const chart = rowBlock(roots.map((root) => branchBlock(root, measure)))
  const head = headSize + 16
  const content = Math.max(chart.width, legend.width, measure(title, headSize, 700))
  const top = margin + head + legend.height + margin
  return {
    width: Math.ceil(content + 2 * margin),
    height: Math.ceil(top + chart.height + margin),
    shapes: [
      {
        kind: 'text',
        x: margin,
        y: margin + headSize,
        text: title,
        size: headSize,
        weight: 700,
        fill: inks.text,
        anchor: 'start',
      },
      ...legend.at(margin, margin + head),
      ...chart.at(margin + (content - chart.width) / 2, top),
    ],
  }
}

function legendBlock(measure: Measure): Block {
  const widths = orgLevels.map((_, depth) => levelWidth(depth, measure))
  const height = 20
  return {
    width: widths.reduce((sum, width) => sum + width + legendGap, -legendGap),
    height,
    at: (x, y) =>
      widths.flatMap((_, depth) => {
        const before = widths.slice(0, depth).reduce((sum, width) => sum + width + legendGap, 0)
        return drawLevel(depth, x + before, y + height / 2)
      }),
  }
}

function branchBlock(branch: OrgBranch<TreeNode>, measure: Measure): Block {
  const box = drawBox(branch.node, branch.depth, uprightForm, measure)
  if (branch.children.length === 0) return box
  const below = isFramed(branch)
    ? frameBlock(branch.children, measure)
    : joined(branch.children.map((child) => branchBlock(child, measure)))
  const width = Math.max(box.width, below.width)
  return {
    width,
    height: box.height + lineRoom + below.height,
    at(x, y) {
      const middle = x + width / 2
      return [
        line(middle, y + box.height, middle, y + box.height + lineRoom),
        ...box.at(middle - box.width / 2, y),
        ...below.at(middle - below.width / 2, y + box.height + lineRoom),
      ]
    },
  }
}

function rowBlock(blocks: readonly Block[]): Block {
  return {
    width: blocks.reduce((sum, { width }) => sum + width + gap, -gap),
    height: Math.max(0, ...blocks.map(({ height }) => height)),
    at(x, y) {
      let left = x
      return blocks.flatMap((block) => {
        const shapes = block.at(left, y)
        left += block.width + gap
        return shapes
      })
    },
  }
}

/** Siblings under the line that joins them. */
function joined(blocks: readonly Block[]): Block {
  const row = rowBlock(blocks)
  const [first, last] = [blocks[0], blocks.at(-1)]
  return {
    width: row.width,
    height: lineRoom + row.height,
    at(x, y) {
      let left = x
      const down = blocks.map(({ width }) => {
        const middle = left + width / 2
        left += width + gap
        return line(middle, y, middle, y + lineRoom)
      })
      const along = line(x + (first?.width ?? 0) / 2, y, x + row.width - (last?.width ?? 0) / 2, y)
      return [along, ...down, ...row.at(x, y + lineRoom)]
    },
  }
}

/** Children without children, in a frame. */
function frameBlock(children: readonly OrgBranch<TreeNode>[], measure: Measure): Block {
  const columns = columnsOf(children.length)
  const boxes = children.map(({ node, depth }) => drawBox(node, depth, framedForm, measure))
  const rows = Array.from({ length: Math.ceil(boxes.length / columns) }, (_, row) =>
    boxes.slice(row * columns, (row + 1) * columns),
  )
  const heights = rows.map((row) => Math.max(...row.map(({ height }) => height)))
  const width = columns * (framedForm.width + frameGap) + frameGap
  const height = heights.reduce((sum, each) => sum + each + frameGap, frameGap)
  return {
    width,
    height,
    at(x, y) {
      let top = y + frameGap
      const shapes = rows.flatMap((row, index) => {
        const inRow = row.flatMap((box, column) =>
          box.at(x + frameGap + column * (framedForm.width + frameGap), top),
        )
        top += (heights[index] ?? 0) + frameGap
        return inRow
      })
      return [{ kind: 'box', x, y, width, height, fill: 'none', stroke: inks.line }, ...shapes]
    },
  }
}

function line(x1: number, y1: number, x2: number, y2: number): Shape {
  return { kind: 'line', x1, y1, x2, y2 }
}

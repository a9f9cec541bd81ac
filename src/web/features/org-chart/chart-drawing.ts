import { orgLevels } from '#shared/org-chart/org-chart.ts'
import { type OrgBranch, orgLevelOf } from '#shared/org-chart/org-tree.ts'
import {
  type Drawing,
  type FontWeight,
  inks,
  levelInks,
  type Measure,
  type Shape,
  wrapText,
} from './chart-shapes.ts'
import { columnsOf, initialsOf, isFramed, type TreeNode } from './tree-node.ts'

// In pixels, between neighbours; half of the room between two rows.
const gap = 16
const lineRoom = 18
const frameGap = 8
const margin = 24
const headSize = 20
const legendGap = 20

/** The top box is in the middle of the width. */
interface Block {
  width: number
  height: number
  at: (x: number, y: number) => Shape[]
}

/** The whole chart, all expanded, with heading and legend. */
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

const markRadius = 8
const markGap = 6
const levelSize = 11

interface BoxForm {
  width: number
  padding: number
  photoRadius: number
  gap: number
  isUpright: boolean
}

const uprightForm: BoxForm = { width: 176, padding: 12, photoRadius: 28, gap: 8, isUpright: true }
const framedForm: BoxForm = { width: 224, padding: 8, photoRadius: 22, gap: 10, isUpright: false }

interface TextStyle {
  size: number
  weight: FontWeight
  fill: string
  lineHeight: number
}

const nameStyle: TextStyle = { size: 14, weight: 600, fill: inks.text, lineHeight: 18 }
const titleStyle: TextStyle = { size: 12, weight: 400, fill: inks.muted, lineHeight: 16 }
const departmentStyle: TextStyle = { size: levelSize, weight: 400, fill: inks.muted, lineHeight: 15 }
const levelHeight = 20

interface DrawnBox {
  width: number
  height: number
  at: (x: number, y: number) => Shape[]
}

function drawBox(node: TreeNode, depth: number, form: BoxForm, measure: Measure): DrawnBox {
  const { width, padding, photoRadius, gap, isUpright } = form
  const photo = photoRadius * 2
  const textWidth = width - 2 * padding - (isUpright ? 0 : photo + gap)
  const lines = [
    ...linesOf(node.name, nameStyle, textWidth, measure),
    ...linesOf(node.title, titleStyle, textWidth, measure),
    ...linesOf(node.department, departmentStyle, textWidth, measure),
  ]
  const textHeight = lines.reduce((sum, { style }) => sum + style.lineHeight, 0) + levelHeight
  const height = 2 * padding + (isUpright ? photo + gap + textHeight : Math.max(photo, textHeight))

  return {
    width,
    height,
    at(x, y) {
      const photoX = isUpright ? x + width / 2 : x + padding + photoRadius
      const photoY = isUpright ? y + padding + photoRadius : y + height / 2
      const textX = isUpright ? x + width / 2 : x + padding + photo + gap
      const textTop = isUpright ? y + padding + photo + gap : y + (height - textHeight) / 2
      return [
        { kind: 'box', x, y, width, height, fill: inks.paper, stroke: inks.edge },
        ...photoShapes(node, photoX, photoY, photoRadius),
        ...textShapes(lines, textX, textTop, isUpright),
        ...levelShapes(depth, textX, textTop + textHeight - levelHeight / 2, isUpright, measure),
      ]
    },
  }
}

function linesOf(text: string, style: TextStyle, width: number, measure: Measure) {
  const lines = wrapText(text, width, (part) => measure(part, style.size, style.weight))
  return lines.map((line) => ({ line, style }))
}

function textShapes(
  lines: readonly { line: string; style: TextStyle }[],
  x: number,
  top: number,
  isUpright: boolean,
): Shape[] {
  let bottom = top
  return lines.map(({ line, style: { size, weight, fill, lineHeight } }) => {
    bottom += lineHeight
    return {
      kind: 'text',
      x,
      y: bottom - lineHeight * 0.28,
      text: line,
      size,
      weight,
      fill,
      anchor: isUpright ? 'middle' : 'start',
    }
  })
}

// The initials are below the photo in case it does not load.
function photoShapes(node: TreeNode, x: number, y: number, radius: number): Shape[] {
  const size = radius * 0.6
  const initials: Shape[] = [
    { kind: 'disc', x, y, radius, fill: inks.photo, stroke: inks.photo },
    {
      kind: 'text',
      x,
      y: y + size * 0.36,
      text: initialsOf(node.name),
      size,
      weight: 700,
      fill: inks.initials,
      anchor: 'middle',
    },
  ]
  // A screen of twice the density needs twice the pixels.
  const file =
    node.image?.webp.find((each) => each.width >= radius * 4) ?? node.image?.webp.at(-1) ?? node.image?.jpeg
  return file ? [...initials, { kind: 'photo', x, y, radius, url: file.url }] : initials
}

function levelShapes(
  depth: number,
  x: number,
  middle: number,
  isCentred: boolean,
  measure: Measure,
): Shape[] {
  const width = levelWidth(depth, measure)
  return drawLevel(depth, isCentred ? x - width / 2 : x, middle)
}

function levelWidth(depth: number, measure: Measure): number {
  return markRadius * 2 + markGap + measure(orgLevelOf(depth), levelSize, 400)
}

function drawLevel(depth: number, x: number, middle: number): Shape[] {
  const number = Math.min(depth, orgLevels.length - 1)
  const ink = levelInks[number] ?? levelInks[4]
  return [
    { kind: 'disc', x: x + markRadius, y: middle, radius: markRadius, fill: ink.fill, stroke: ink.stroke },
    {
      kind: 'text',
      x: x + markRadius,
      y: middle + 3.8,
      text: String(number + 1),
      size: levelSize,
      weight: 700,
      fill: ink.text,
      anchor: 'middle',
    },
    {
      kind: 'text',
      x: x + markRadius * 2 + markGap,
      y: middle + 3.8,
      text: orgLevelOf(depth),
      size: levelSize,
      weight: 400,
      fill: inks.muted,
      anchor: 'start',
    },
  ]
}

import { orgLevels } from '#shared/org-chart.ts'
import { orgLevelOf } from '#shared/org-tree.ts'
import { inks, levelInks, type Shape } from './chart-shapes.ts'
import { type FontWeight, type Measure, wrapText } from './chart-text.ts'
import { initialsOf, type TreeNode } from './tree-node.ts'

const markRadius = 8
const markGap = 6
const levelSize = 11

interface BoxForm {
  width: number
  padding: number
  photoRadius: number
  gap: number
  /** The photo is above the texts, or beside them. */
  isUpright: boolean
}

/** A box of its own, and one in a frame with others. */
export const uprightForm: BoxForm = { width: 176, padding: 12, photoRadius: 28, gap: 8, isUpright: true }
export const framedForm: BoxForm = { width: 224, padding: 8, photoRadius: 22, gap: 10, isUpright: false }

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

export interface DrawnBox {
  width: number
  height: number
  /** @param x of its left edge */
  at: (x: number, y: number) => Shape[]
}

/** A node as it is drawn: photo or initials, name, title, level and department. */
export function drawBox(node: TreeNode, depth: number, form: BoxForm, measure: Measure): DrawnBox {
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

/** The initials lie under the photo, should it not come. */
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

/** A level's figure and name as in the legend. */
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

export function levelWidth(depth: number, measure: Measure): number {
  return markRadius * 2 + markGap + measure(orgLevelOf(depth), levelSize, 400)
}

/** @param x of its left edge */
export function drawLevel(depth: number, x: number, middle: number): Shape[] {
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

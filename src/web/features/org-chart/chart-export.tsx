import { type ReactNode, useId } from 'react'
import type { OrgBranch } from '#shared/org-chart/org-tree.ts'
import { drawChart } from './chart-drawing.ts'
import { type Drawing, inks, type Measure, type Shape } from './chart-shapes.ts'
import { allExpanded, type TreeNode } from './tree-node.ts'
import { LevelLegend, TreeView } from './tree-view.tsx'
import './chart-paper.css'

export function drawImage(title: string, roots: readonly OrgBranch<TreeNode>[]): Promise<Blob> {
  return paintImage(drawChart(title, roots, measureWith(fontOfPage())), fontOfPage())
}

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

function measureWith(fontFamily: string): Measure {
  const brush = document.createElement('canvas').getContext('2d')
  const widths = new Map<string, number>()
  return (text, size, weight) => {
    if (brush === null) return text.length * size * 0.55
    const font = `${weight} ${size}px ${fontFamily}`
    const key = `${font} ${text}`
    const width = widths.get(key)
    if (width !== undefined) return width
    brush.font = font
    const measured = brush.measureText(text).width
    widths.set(key, measured)
    return measured
  }
}

// A4 within margins of 12.7 mm, in CSS pixels.
const long = 1026
const short = 697

/** Upright where the drawing fits, otherwise the orientation in which it is larger. */
export function paperOf({ width, height }: { width: number; height: number }): 'wide' | 'tall' {
  const upright = Math.min(1, short / width, long / height)
  const lying = Math.min(1, long / width, short / height)
  return lying > upright ? 'wide' : 'tall'
}

function ChartSheet({ drawing, title }: { drawing: Drawing; title: string }) {
  const { width, height, shapes } = drawing
  const clip = useId()
  return (
    <svg role="img" aria-label={title} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <clipPath id={clip} clipPathUnits="objectBoundingBox">
        <circle cx="0.5" cy="0.5" r="0.5" />
      </clipPath>
      {shapes.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never changes
        <SheetShape key={index} shape={shape} clip={clip} />
      ))}
    </svg>
  )
}

function SheetShape({ shape, clip }: { shape: Shape; clip: string }) {
  switch (shape.kind) {
    case 'line':
      return (
        <line x1={shape.x1} y1={shape.y1} x2={shape.x2} y2={shape.y2} stroke={inks.line} strokeWidth={2} />
      )
    case 'box': {
      const { kind: _, ...box } = shape
      return <rect {...box} rx={inks.corner} strokeWidth={1.5} />
    }
    case 'disc':
      return <circle cx={shape.x} cy={shape.y} r={shape.radius} fill={shape.fill} stroke={shape.stroke} />
    case 'photo':
      return (
        <image
          href={shape.url}
          x={shape.x - shape.radius}
          y={shape.y - shape.radius}
          width={shape.radius * 2}
          height={shape.radius * 2}
          preserveAspectRatio="xMidYMid slice"
          clipPath={`url(#${clip})`}
        />
      )
    case 'text':
      return (
        <text
          x={shape.x}
          y={shape.y}
          fontSize={shape.size}
          fontWeight={shape.weight}
          fill={shape.fill}
          textAnchor={shape.anchor}
        >
          {shape.text}
        </text>
      )
  }
}

// Image pixels per drawing pixel. Browsers limit the size of an image.
const densities = [2, 1, 0.5, 0.25]
const greatestSide = 16_000
const greatestArea = 120_000_000

type Photos = ReadonlyMap<string, HTMLImageElement>

async function paintImage(drawing: Drawing, fontFamily: string): Promise<Blob> {
  const photos = await loadPhotos(drawing)
  for (const density of densities) {
    const width = Math.round(drawing.width * density)
    const height = Math.round(drawing.height * density)
    if (Math.max(width, height) > greatestSide || width * height > greatestArea) continue
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const brush = canvas.getContext('2d')
    if (brush === null) continue
    brush.scale(density, density)
    brush.fillStyle = inks.paper
    brush.fillRect(0, 0, drawing.width, drawing.height)
    for (const shape of drawing.shapes) paint(brush, shape, fontFamily, photos)
    const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (image) return image
  }
  throw new Error('The chart is too large to save as an image in this browser.')
}

function paint(brush: CanvasRenderingContext2D, shape: Shape, fontFamily: string, photos: Photos): void {
  brush.beginPath()
  switch (shape.kind) {
    case 'line':
      brush.moveTo(shape.x1, shape.y1)
      brush.lineTo(shape.x2, shape.y2)
      stroke(brush, inks.line, 2)
      break
    case 'box':
      brush.roundRect(shape.x, shape.y, shape.width, shape.height, inks.corner)
      fill(brush, shape.fill)
      stroke(brush, shape.stroke, 1.5)
      break
    case 'disc':
      brush.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI)
      fill(brush, shape.fill)
      stroke(brush, shape.stroke, 1)
      break
    case 'photo':
      paintPhoto(brush, shape, photos.get(shape.url))
      break
    case 'text':
      brush.font = `${shape.weight} ${shape.size}px ${fontFamily}`
      brush.textAlign = shape.anchor === 'middle' ? 'center' : 'left'
      brush.fillStyle = shape.fill
      brush.fillText(shape.text, shape.x, shape.y)
      break
  }
}

function fill(brush: CanvasRenderingContext2D, colour: string): void {
  if (colour === 'none') return
  brush.fillStyle = colour
  brush.fill()
}

function stroke(brush: CanvasRenderingContext2D, colour: string, width: number): void {
  brush.strokeStyle = colour
  brush.lineWidth = width
  brush.stroke()
}

function paintPhoto(
  brush: CanvasRenderingContext2D,
  { x, y, radius }: { x: number; y: number; radius: number },
  photo: HTMLImageElement | undefined,
): void {
  if (photo === undefined) return
  const side = Math.min(photo.naturalWidth, photo.naturalHeight)
  brush.save()
  brush.arc(x, y, radius, 0, 2 * Math.PI)
  brush.clip()
  brush.drawImage(
    photo,
    (photo.naturalWidth - side) / 2,
    (photo.naturalHeight - side) / 2,
    side,
    side,
    x - radius,
    y - radius,
    radius * 2,
    radius * 2,
  )
  brush.restore()
}

// In ms; photos that load later are replaced by initials.
const patienceMs = 8_000

async function loadPhotos({ shapes }: Drawing): Promise<ReadonlyMap<string, HTMLImageElement>> {
  const urls = new Set(shapes.flatMap((shape) => (shape.kind === 'photo' ? [shape.url] : [])))
  const photos = new Map<string, HTMLImageElement>()
  const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMs))
  await Promise.race([late, Promise.all([...urls].map((url) => load(url, photos)))])
  return new Map(photos)
}

async function load(url: string, photos: Map<string, HTMLImageElement>): Promise<void> {
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    photos.set(url, image)
  } catch {
    // It stays out of the map: its initials are painted.
    image.src = ''
  }
}

import { loadPhotos } from './chart-photos.ts'
import { type Drawing, inks, type Shape } from './chart-shapes.ts'

/** Pixels of the image for each of the drawing, the sharpest first; browsers limit how large an image may be. */
const densities = [2, 1, 0.5, 0.25]
const greatestSide = 16_000
const greatestArea = 120_000_000

type Photos = ReadonlyMap<string, HTMLImageElement>

/** Paints a drawing as a PNG. */
export async function paintImage(drawing: Drawing, fontFamily: string): Promise<Blob> {
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
  throw new Error('The chart is larger than an image can be in this browser.')
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

/** The middle of a photo, round. */
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

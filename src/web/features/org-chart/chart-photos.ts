import type { Drawing } from './chart-shapes.ts'

/** Longer than this nobody waits for photos; initials are in the place of those that are late. In milliseconds. */
const patienceMs = 8_000

/** The photos of a drawing that can be painted, by address. */
export async function loadPhotos({ shapes }: Drawing): Promise<ReadonlyMap<string, HTMLImageElement>> {
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

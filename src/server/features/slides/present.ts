import type { Slide } from '#shared/slides.ts'
import type { SlideRow } from './repository.ts'

/** A slide as the API gives it out. */
export function presentSlide(row: SlideRow): Slide {
  const { id, version, title, description, image, active, position, createdAt } = row
  return {
    id,
    version,
    title,
    description,
    active,
    order: position,
    createdAt: createdAt.getTime(),
    imageUrl: image.jpeg.url,
    image,
  }
}

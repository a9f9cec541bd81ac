import type { Slide } from '#shared/slideshow/slides-response.ts'

/** An active slide as the page gets it, whose title is its id. */
export function buildSlide(title: string, order: number): Slide {
  return {
    id: title,
    version: 1,
    title,
    description: '',
    active: true,
    order,
    createdAt: 0,
    imageUrl: `/${title}.jpg`,
    image: {
      width: 1600,
      height: 700,
      webp: [{ url: `/${title}.webp`, width: 640 }],
      jpeg: { url: `/${title}.jpg`, width: 1280, height: 560 },
    },
  }
}

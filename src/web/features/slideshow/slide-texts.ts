import type { Slide } from '#shared/slides.ts'

/** What a slide is called where it is spoken of. */
export function slideName({ title, order }: Pick<Slide, 'title' | 'order'>): string {
  return title === '' ? `slide ${order + 1}` : title
}

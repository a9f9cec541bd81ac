import type { Slide } from '#shared/slides.ts'
import type { Section } from '#web/lib/section.ts'

interface SlideshowProps {
  slides: Section<Slide[]>
  isAdmin: boolean
}

/** The slides of the home page (spec §2 "Slideshow (public)"). */
export function Slideshow({ slides, isAdmin }: SlideshowProps) {
  return isAdmin || slides.data ? <section aria-label="Slideshow" /> : null
}

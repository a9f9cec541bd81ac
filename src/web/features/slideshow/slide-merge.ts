import type { Slide } from '#shared/slides.ts'

/** What the form of a slide holds. */
export interface SlideValues {
  title: string
  description: string
  /** A chosen picture that isn't sent yet. */
  image: File | null
}

const texts = ['title', 'description'] as const
export type SlideField = keyof SlideValues

export const slideFieldLabels: Record<SlideField, string> = {
  title: 'Title',
  description: 'Description',
  image: 'Image',
}

export function slideValuesOf(slide: Slide | null): SlideValues {
  return { title: slide?.title ?? '', description: slide?.description ?? '', image: null }
}

/** The fields in which a form differs from its slide. */
export function changedSlideFields(base: Slide | null, values: SlideValues): SlideField[] {
  const before = slideValuesOf(base)
  const changed: SlideField[] = texts.filter((field) => values[field].trim() !== before[field])
  return values.image === null ? changed : [...changed, 'image']
}

/** What becomes of a form when its slide was changed by somebody else. */
export interface SlideMerge {
  /** What is typed, with the other change where nothing is. */
  values: SlideValues
  /** What both have changed, each in another way. */
  contested: SlideField[]
}

/**
 * Puts what is typed together with another change of the slide.
 *
 * @param base the slide when the form was opened
 * @param now the slide as it is
 */
export function mergeSlide(base: Slide, now: Slide, mine: SlideValues): SlideMerge {
  const touched = changedSlideFields(base, mine)
  const contested: SlideField[] = texts.filter(
    (field) => touched.includes(field) && now[field] !== base[field] && now[field] !== mine[field].trim(),
  )
  if (mine.image !== null && now.imageUrl !== base.imageUrl) contested.push('image')
  const values = { ...mine }
  for (const field of texts) if (!touched.includes(field)) values[field] = now[field]
  return { values, contested }
}

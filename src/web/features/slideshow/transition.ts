import { clsx } from 'clsx'
import type { Slide } from '#shared/slideshow/slides-response.ts'

export type Direction = 1 | -1

/** The shown slide and the change under way. Slides may be added or removed meanwhile. */
export interface Transition {
  current: string
  index: number
  leaving: string | null
  direction: Direction
  /** The drag's offset when the change began, as a CSS length. */
  from: string
}

type Ids = readonly Pick<Slide, 'id'>[]

export const initialTransition: Transition = {
  current: '',
  index: 0,
  leaving: null,
  direction: 1,
  from: '0px',
}

/** Wraps around. */
export function wrapIndex(index: number, count: number): number {
  return count === 0 ? 0 : (index + count) % count
}

/** The shown slide stays at its new index; if it was removed, the next one is shown. */
export function followSlides(transition: Transition, slides: Ids): Transition {
  const index = slides.findIndex(({ id }) => id === transition.current)
  if (index === transition.index) return transition
  if (index !== -1) return { ...transition, index }
  const place = Math.min(transition.index, Math.max(0, slides.length - 1))
  return { ...transition, current: slides[place]?.id ?? '', index: place, leaving: null }
}

interface TransitionOptions {
  direction: Direction
  from?: string
  isInstant: boolean
}

export function transitionTo(
  transition: Transition,
  slides: Ids,
  index: number,
  options: TransitionOptions,
): Transition {
  const next = slides[wrapIndex(index, slides.length)]?.id ?? transition.current
  if (next === transition.current) return transition
  const { direction, from = '0px', isInstant } = options
  return {
    current: next,
    index: wrapIndex(index, slides.length),
    leaving: isInstant ? null : transition.current,
    direction,
    from,
  }
}

/** @param drag in pixels: negative towards the next slide */
export function transitionBack(transition: Transition, slides: Ids, drag: number): Transition {
  const beside: Direction = drag < 0 ? 1 : -1
  const other = slides[wrapIndex(transition.index + beside, slides.length)]?.id
  if (other === undefined || other === transition.current || drag === 0) return transition
  // The other one leaves to where it came from; seen from there the pull is nearly a whole width.
  return {
    ...transition,
    leaving: other,
    direction: beside === 1 ? -1 : 1,
    from: `calc(${beside * 100}% + ${drag}px)`,
  }
}

// Dots of 44 px that fit between the buttons of a phone; more get their own rows.
const maxBetweenButtons = 4

export const barClass =
  'flex min-h-14 flex-wrap items-center gap-1 px-2 max-md:gap-0 max-md:px-1 md:flex-nowrap'

export function dotsClass(count: number): string {
  return clsx(
    'flex min-w-0 flex-1 flex-wrap justify-center',
    count > maxBetweenButtons && 'max-md:order-last max-md:basis-full',
  )
}

export function dotClass(count: number): string {
  return clsx('h-11', count > maxBetweenButtons ? 'w-11' : 'max-w-11 min-w-6 flex-1')
}

import { clsx } from 'clsx'
import type { Slide } from '#shared/slideshow/slides.ts'

export type Direction = 1 | -1

/** The shown slide and the change under way. Slides may be added or removed meanwhile. */
export interface Turn {
  shown: string
  index: number
  leaving: string | null
  direction: Direction
  /** The drag's offset when the change began, as a CSS length. */
  from: string
}

type Ids = readonly Pick<Slide, 'id'>[]

export const firstTurn: Turn = { shown: '', index: 0, leaving: null, direction: 1, from: '0px' }

/** Wraps around. */
export function placeAround(index: number, count: number): number {
  return count === 0 ? 0 : (index + count) % count
}

/** The shown slide stays at its new index; if it was removed, the next one is shown. */
export function followSlides(turn: Turn, slides: Ids): Turn {
  const index = slides.findIndex(({ id }) => id === turn.shown)
  if (index === turn.index) return turn
  if (index !== -1) return { ...turn, index }
  const place = Math.min(turn.index, Math.max(0, slides.length - 1))
  return { ...turn, shown: slides[place]?.id ?? '', index: place, leaving: null }
}

interface TurnOptions {
  direction: Direction
  from?: string
  isInstant: boolean
}

export function turnTo(turn: Turn, slides: Ids, index: number, options: TurnOptions): Turn {
  const shown = slides[placeAround(index, slides.length)]?.id ?? turn.shown
  if (shown === turn.shown) return turn
  const { direction, from = '0px', isInstant } = options
  return {
    shown,
    index: placeAround(index, slides.length),
    leaving: isInstant ? null : turn.shown,
    direction,
    from,
  }
}

/** @param drag in pixels: negative towards the next slide */
export function turnBack(turn: Turn, slides: Ids, drag: number): Turn {
  const beside: Direction = drag < 0 ? 1 : -1
  const other = slides[placeAround(turn.index + beside, slides.length)]?.id
  if (other === undefined || other === turn.shown || drag === 0) return turn
  // The other one leaves to where it came from; seen from there the pull is nearly a whole width.
  return {
    ...turn,
    leaving: other,
    direction: beside === 1 ? -1 : 1,
    from: `calc(${beside * 100}% + ${drag}px)`,
  }
}

// Dots of 44 px that fit between the buttons of a phone; more get their own rows.
const mostBetween = 4

export const barLook =
  'flex min-h-14 flex-wrap items-center gap-1 px-2 max-md:gap-0 max-md:px-1 md:flex-nowrap'

export function dotsLook(count: number): string {
  return clsx(
    'flex min-w-0 flex-1 flex-wrap justify-center',
    count > mostBetween && 'max-md:order-last max-md:basis-full',
  )
}

export function dotLook(count: number): string {
  return clsx('h-11', count > mostBetween ? 'w-11' : 'max-w-11 min-w-6 flex-1')
}

import { clsx } from 'clsx'
import type { Slide } from '#shared/slideshow/slides.ts'

/** To the next slide, or back. */
export type Direction = 1 | -1

/** Which slide is seen, and the change from one to another while it is under way. Slides come and go meanwhile. */
export interface Turn {
  /** The id of the slide that is seen. */
  shown: string
  /** Its place, from 0. */
  index: number
  /** The slide that moves out; null while nothing moves. */
  leaving: string | null
  direction: Direction
  /** How far the slides were pulled when the change began, as a CSS length. */
  from: string
}

type Ids = readonly Pick<Slide, 'id'>[]

/** The beginning: the first slide. */
export const firstTurn: Turn = { shown: '', index: 0, leaving: null, direction: 1, from: '0px' }

/** A place among so many, where the last one is followed by the first. */
export function placeAround(index: number, count: number): number {
  return count === 0 ? 0 : (index + count) % count
}

/** Keeps the slide that is seen, wherever it stands now; in the place of one that is gone, the next is seen. */
export function followSlides(turn: Turn, slides: Ids): Turn {
  const index = slides.findIndex(({ id }) => id === turn.shown)
  if (index === turn.index) return turn
  if (index !== -1) return { ...turn, index }
  const place = Math.min(turn.index, Math.max(0, slides.length - 1))
  return { ...turn, shown: slides[place]?.id ?? '', index: place, leaving: null }
}

interface TurnOptions {
  direction: Direction
  /** See `Turn`. */
  from?: string
  /** Without motion. */
  isInstant: boolean
}

/** Another slide comes into sight. */
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

/**
 * A slide that was pulled aside, but not far enough, moves back.
 *
 * @param drag how far it was pulled, in pixels: negative towards the next slide
 */
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

/** So many dots stand between the buttons of a phone, 44 px wide each; more of them get rows of their own. */
const mostBetween = 4

/** The row of buttons below the slides. */
export const barLook =
  'flex min-h-14 flex-wrap items-center gap-1 px-2 max-md:gap-0 max-md:px-1 md:flex-nowrap'

/** The dots between them. @param count of the slides */
export function dotsLook(count: number): string {
  return clsx(
    'flex min-w-0 flex-1 flex-wrap justify-center',
    count > mostBetween && 'max-md:order-last max-md:basis-full',
  )
}

/** What can be pressed of one dot. @param count of the slides */
export function dotLook(count: number): string {
  return clsx('h-11', count > mostBetween ? 'w-11' : 'max-w-11 min-w-6 flex-1')
}

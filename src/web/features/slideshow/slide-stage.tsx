import type { CSSProperties, Ref } from 'react'
import type { Slide } from '#shared/slides.ts'
import { SlideView } from './slide-view.tsx'
import { placeAround, type Turn } from './turn.ts'

interface SlideStageProps {
  slides: readonly Slide[]
  turn: Turn
  /** How far a finger has pulled the slide aside, in pixels: negative towards the next one. */
  drag: number
  /** Whether the slides beside the shown one are made ready. */
  isReady: boolean
  ref: Ref<HTMLDivElement>
}

/** The frame in which one slide is seen. */
export function SlideStage({ slides, turn, drag, isReady, ref }: SlideStageProps) {
  const { length } = slides
  const beside = slides[placeAround(turn.index + (drag < 0 ? 1 : -1), length)]?.id
  const neighbours = [1, -1].map((step) => slides[placeAround(turn.index + step, length)]?.id)
  return (
    <div
      ref={ref}
      className="grid touch-pan-y overflow-hidden bg-pine-deep text-on-pine noscript:flex noscript:snap-x noscript:snap-mandatory noscript:overflow-x-auto"
    >
      {slides.map((slide, index) => {
        const isShown = slide.id === turn.shown
        const isPulled = drag !== 0 && slide.id === beside
        const isSeen = isShown || slide.id === turn.leaving || isPulled
        return (
          <SlideView
            key={slide.id}
            slide={slide}
            label={`Slide ${index + 1} of ${length}`}
            isFirst={index === 0}
            isSeen={isSeen}
            isNear={isSeen || (isReady && neighbours.includes(slide.id))}
            className={isSeen ? motionOf(slide.id, turn) : undefined}
            style={isSeen ? styleOf(slide.id, turn, drag) : undefined}
          />
        )
      })}
    </div>
  )
}

function motionOf(id: string, { shown, leaving }: Turn): string | undefined {
  if (leaving === null) return undefined
  return id === shown ? 'slide-in' : 'slide-out'
}

type SlideStyle = CSSProperties & { '--slide-from'?: string; '--slide-to'?: string }

/** Where a slide stands, or where it moves from and to; see the utilities slide-in and slide-out. */
function styleOf(
  id: string,
  { shown, leaving, direction, from }: Turn,
  drag: number,
): SlideStyle | undefined {
  const isShown = id === shown
  if (leaving !== null) {
    return isShown
      ? { '--slide-from': `calc(${direction * 100}% + ${from})` }
      : { '--slide-from': from, '--slide-to': `${direction * -100}%` }
  }
  if (drag === 0) return undefined
  return { translate: isShown ? `${drag}px` : `calc(${drag < 0 ? 100 : -100}% + ${drag}px)` }
}

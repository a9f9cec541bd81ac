import { clsx } from 'clsx'
import type { Slide } from '#shared/slides.ts'

/** Up to so many have the width of a finger; more of them are closer to each other. */
const mostWide = 5
/** More than that take two rows on a phone. */
const mostHigh = 9

interface SlideDotsProps {
  slides: readonly Slide[]
  index: number
  onChoose: (index: number) => void
}

/** A dot for each slide. */
export function SlideDots({ slides, index, onChoose }: SlideDotsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
    <div role="group" aria-label="Choose a slide" className="flex min-w-0 flex-1 flex-wrap justify-center">
      {slides.map(({ id }, place) => (
        <button
          key={id}
          type="button"
          aria-label={`Slide ${place + 1}`}
          aria-current={place === index}
          onClick={() => onChoose(place)}
          className={clsx(
            'group grid place-items-center rounded-box',
            slides.length > mostWide ? 'w-6' : 'w-11',
            slides.length > mostHigh ? 'h-6 md:h-11' : 'h-11',
          )}
        >
          <span
            className={clsx(
              'block rounded-full transition-colors',
              place === index ? 'size-3 bg-primary' : 'size-2.5 bg-edge group-hover:bg-primary',
            )}
          />
        </button>
      ))}
    </div>
  )
}

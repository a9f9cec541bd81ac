import { clsx } from 'clsx'
import type { Slide } from '#shared/slides.ts'

/** So many stand in one row on every phone, as wide as there is room; more of them may take two. */
const mostInRow = 6

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
            slides.length > mostInRow ? 'h-6 w-6 md:h-11' : 'h-11 max-w-11 min-w-6 flex-1',
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

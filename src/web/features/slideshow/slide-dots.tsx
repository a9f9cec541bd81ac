import { clsx } from 'clsx'
import type { Slide } from '#shared/slides.ts'

/** So many stand between the buttons of a phone, 44 px wide each; more of them get rows of their own. */
const mostBetween = 4

interface SlideDotsProps {
  slides: readonly Slide[]
  index: number
  onChoose: (index: number) => void
}

/** A dot for each slide. */
export function SlideDots({ slides, index, onChoose }: SlideDotsProps) {
  const hasOwnRow = slides.length > mostBetween
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
    <div
      role="group"
      aria-label="Choose a slide"
      className={clsx(
        'flex min-w-0 flex-1 flex-wrap justify-center',
        hasOwnRow && 'max-md:order-last max-md:basis-full',
      )}
    >
      {slides.map(({ id }, place) => (
        <button
          key={id}
          type="button"
          aria-label={`Slide ${place + 1}`}
          aria-current={place === index}
          onClick={() => onChoose(place)}
          className={clsx(
            'group grid h-11 place-items-center rounded-box',
            hasOwnRow ? 'w-11' : 'max-w-11 min-w-6 flex-1',
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

import { clsx } from 'clsx'
import type { Slide } from '#shared/slides.ts'
import { dotLook, dotsLook } from './slide-bar.ts'

interface SlideDotsProps {
  slides: readonly Slide[]
  index: number
  onChoose: (index: number) => void
}

/** A dot for each slide. */
export function SlideDots({ slides, index, onChoose }: SlideDotsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
    <div role="group" aria-label="Choose a slide" className={dotsLook(slides.length)}>
      {slides.map(({ id }, place) => (
        <button
          key={id}
          type="button"
          aria-label={`Slide ${place + 1}`}
          aria-current={place === index}
          onClick={() => onChoose(place)}
          className={clsx('group grid place-items-center rounded-box', dotLook(slides.length))}
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

import type { Slide } from '#shared/slides.ts'
import { useFocusAfterRender } from '#web/lib/focus-after-render.ts'
import { moveButtonId, SlideCard, type SlideCardActions } from './slide-card.tsx'

interface SlideGridProps extends Omit<SlideCardActions, 'onDrop'> {
  /** All of them, in their order. */
  slides: readonly Slide[]
  isShown: (slide: Slide) => boolean
  /** Whether the order can be changed: while all are shown. */
  isMovable: boolean
  busyId: string | null
}

/** The coordinator's slides. */
export function SlideGrid({ slides, isShown, isMovable, busyId, onMove, ...actions }: SlideGridProps) {
  const focusNext = useFocusAfterRender()

  function move(slide: Slide, place: number) {
    const step = place > slides.indexOf(slide) ? 1 : -1
    onMove(slide, place)
    // At an end the button that was pressed can't take the focus any more.
    focusNext(moveButtonId(slide.id, step), moveButtonId(slide.id, step === 1 ? -1 : 1))
  }

  return (
    <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      {slides.map((slide, place) =>
        isShown(slide) ? (
          <SlideCard
            key={slide.id}
            slide={slide}
            place={place}
            count={slides.length}
            isMovable={isMovable}
            isBusy={busyId === slide.id}
            {...actions}
            onMove={move}
            onDrop={(id, target) => {
              const dropped = slides.find((each) => each.id === id)
              if (dropped) onMove(dropped, target)
            }}
          />
        ) : null,
      )}
    </ul>
  )
}

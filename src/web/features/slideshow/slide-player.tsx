import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import type { Slide } from '#shared/slides.ts'
import { IconButton } from '#web/components/button.tsx'
import { useMediaQuery } from '#web/lib/media-query.ts'
import { barLook } from './slide-bar.ts'
import { SlideDots } from './slide-dots.tsx'
import { type Direction, firstTurn, type Turn, turnBack, turnTo } from './turn.ts'
import { useAttention } from './use-attention.ts'
import { useAutoAdvance } from './use-auto-advance.ts'
import { useSwipe } from './use-swipe.ts'

/** How long a change takes; no other one begins meanwhile (spec §9). The utilities slide-in and slide-out move as long. */
const moveMs = 500

interface SlidePlayerProps {
  slides: readonly Slide[]
  turn: Turn
  drag: number
  /** The whole slideshow. */
  frame: RefObject<HTMLElement | null>
  /** Where the slides are. */
  stage: RefObject<HTMLElement | null>
  onTurn: (turn: Turn) => void
  onDrag: (drag: number) => void
}

/** What moves the slides: time, buttons, a finger. */
export function SlidePlayer({ slides, turn, drag, frame, stage, onTurn, onDrag }: SlidePlayerProps) {
  const isReduced = useMediaQuery('(prefers-reduced-motion: reduce)')
  // Until the person chooses: with reduced motion nothing moves by itself.
  const [choice, setChoice] = useState<'play' | 'pause' | null>(null)
  const isPaused = choice === null ? isReduced : choice === 'pause'
  const { isAttended, dismiss } = useAttention(frame)
  const isPlaying = !isPaused && !isAttended && drag === 0
  const isMoving = turn.leaving !== null

  function go(index: number, direction: Direction, from = firstTurn.from) {
    if (!isMoving) onTurn(turnTo(turn, slides, index, { direction, from, isInstant: isReduced }))
  }

  useEffect(() => {
    if (!isMoving) return
    const timer = setTimeout(() => onTurn({ ...turn, leaving: null }), moveMs)
    return () => clearTimeout(timer)
  }, [isMoving, turn, onTurn])

  useAutoAdvance({ isPlaying, shown: turn.shown, onAdvance: () => go(turn.index + 1, 1) })

  useSwipe(stage, {
    isBlocked: isMoving,
    onDrag,
    onRelease: (pulled, isFar) => {
      onDrag(0)
      const direction = pulled < 0 ? 1 : -1
      if (isFar) go(turn.index + direction, direction, `${pulled}px`)
      else if (!isReduced) onTurn(turnBack(turn, slides, pulled))
    },
  })

  useEffect(() => {
    // While slides come by themselves they aren't read out.
    stage.current?.setAttribute('aria-live', isPlaying ? 'off' : 'polite')
  }, [isPlaying, stage])

  return (
    <div className={barLook}>
      <IconButton
        label={isPaused ? 'Play slideshow' : 'Pause slideshow'}
        size="md"
        className="mr-auto"
        onClick={() => {
          setChoice(isPaused ? 'play' : 'pause')
          // Who presses it wants it to play, though the keyboard is here.
          dismiss()
        }}
      >
        {isPaused ? (
          <Play aria-hidden="true" className="size-5" />
        ) : (
          <Pause aria-hidden="true" className="size-5" />
        )}
      </IconButton>
      <SlideDots
        slides={slides}
        index={turn.index}
        onChoose={(index) => go(index, index < turn.index ? -1 : 1)}
      />
      <IconButton label="Previous slide" size="md" onClick={() => go(turn.index - 1, -1)}>
        <ChevronLeft aria-hidden="true" className="size-6" />
      </IconButton>
      <IconButton label="Next slide" size="md" onClick={() => go(turn.index + 1, 1)}>
        <ChevronRight aria-hidden="true" className="size-6" />
      </IconButton>
    </div>
  )
}

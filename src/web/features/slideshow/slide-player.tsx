import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { IconButton } from '#web/components/button.tsx'
import { useMediaQuery } from '#web/lib/media-query.ts'
import { abortable, runAfter, runEvery } from '#web/lib/timers.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import {
  barClass,
  type Direction,
  dotClass,
  dotsClass,
  initialTransition,
  type Transition,
  transitionBack,
  transitionTo,
} from './transition.ts'

// The length of a transition, in ms (product 1.4). No other one starts during it. The utilities slide-in and slide-out last as long.
const moveMs = 500
// How long a slide is shown, in ms.
const advanceMs = 5_000

interface SlidePlayerProps {
  slides: readonly Slide[]
  transition: Transition
  drag: number
  frame: RefObject<HTMLElement | null>
  stage: RefObject<HTMLElement | null>
  onTransition: (transition: Transition) => void
  onDrag: (drag: number) => void
}

export function SlidePlayer(props: SlidePlayerProps) {
  const { slides, transition, drag, frame, stage, onTransition, onDrag } = props
  const isReduced = useMediaQuery('(prefers-reduced-motion: reduce)')
  // Null until the user chooses: with reduced motion nothing moves automatically.
  const [choice, setChoice] = useState<'play' | 'pause' | null>(null)
  const isPaused = choice === null ? isReduced : choice === 'pause'
  const { isAttended, dismiss } = useAttention(frame)
  const isPlaying = !isPaused && !isAttended && drag === 0
  const isMoving = transition.leaving !== null

  function go(index: number, direction: Direction, from = initialTransition.from) {
    if (!isMoving)
      onTransition(transitionTo(transition, slides, index, { direction, from, isInstant: isReduced }))
  }

  useEffect(() => {
    return isMoving ? runAfter(moveMs, () => onTransition({ ...transition, leaving: null })) : undefined
  }, [isMoving, transition, onTransition])

  const advance = useEffectEvent(() => go(transition.index + 1, 1))
  // biome-ignore lint/correctness/useExhaustiveDependencies: each slide has its whole time
  useEffect(
    () => (isPlaying ? runEvery(advanceMs, () => advance()) : undefined),
    [isPlaying, transition.current],
  )

  useSwipe(stage, {
    isBlocked: isMoving,
    onDrag,
    onRelease: (pulled, isFar) => {
      onDrag(0)
      const direction = pulled < 0 ? 1 : -1
      if (isFar) go(transition.index + direction, direction, `${pulled}px`)
      else if (!isReduced) onTransition(transitionBack(transition, slides, pulled))
    },
  })

  useEffect(() => {
    // While slides come by themselves they aren't read out.
    stage.current?.setAttribute('aria-live', isPlaying ? 'off' : 'polite')
  }, [isPlaying, stage])

  return (
    <div className={barClass}>
      <IconButton
        label={isPaused ? 'Play slideshow' : 'Pause slideshow'}
        size="md"
        icon={isPaused ? Play : Pause}
        className="mr-auto"
        onClick={() => {
          setChoice(isPaused ? 'play' : 'pause')
          // A press on Play starts the slideshow, although the keyboard focus is in it.
          dismiss()
        }}
      />
      <SlideDots
        slides={slides}
        index={transition.index}
        onChoose={(index) => go(index, index < transition.index ? -1 : 1)}
      />
      <IconButton
        label="Previous slide"
        size="md"
        onClick={() => go(transition.index - 1, -1)}
        icon={ChevronLeft}
      />
      <IconButton
        label="Next slide"
        size="md"
        onClick={() => go(transition.index + 1, 1)}
        icon={ChevronRight}
      />
    </div>
  )
}

interface SlideDotsProps {
  slides: readonly Slide[]
  index: number
  onChoose: (index: number) => void
}

function SlideDots({ slides, index, onChoose }: SlideDotsProps) {
  const t = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's controls
    <div role="group" aria-label={t('Choose a slide')} className={dotsClass(slides.length)}>
      {slides.map(({ id }, place) => (
        <button
          key={id}
          type="button"
          aria-label={t(`Slide ${place + 1}`)}
          aria-current={place === index}
          onClick={() => onChoose(place)}
          className={clsx('group grid place-items-center rounded-box', dotClass(slides.length))}
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

/** Pauses on hover, on keyboard focus, in a hidden tab and off the screen. */
function useAttention(frame: RefObject<HTMLElement | null>) {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isOffScreen, setOffScreen] = useState(false)
  const [isTabHidden, setTabHidden] = useState(false)

  useEffect(() => {
    const element = frame.current
    if (!element) return
    return abortable(({ signal }) => {
      // A finger points only while it swipes or presses.
      element.addEventListener('pointerenter', (event) => setPointed(event.pointerType !== 'touch'), {
        signal,
      })
      element.addEventListener('pointerleave', () => setPointed(false), { signal })
      // A pressed button keeps the focus; only the keyboard's stay counts.
      const noteFocus = () => setFocused(element.querySelector(':focus-visible') !== null)
      element.addEventListener('focusin', noteFocus, { signal })
      element.addEventListener('focusout', () => setFocused(false), { signal })
      const noteTab = () => setTabHidden(document.hidden)
      document.addEventListener('visibilitychange', noteTab, { signal })
      noteTab()
      const observer = new IntersectionObserver(([entry]) => setOffScreen(entry?.isIntersecting === false))
      observer.observe(element)
      signal.addEventListener('abort', () => observer.disconnect())
    })
  }, [frame])

  return {
    isAttended: isPointed || isFocused || isOffScreen || isTabHidden,
    dismiss: () => setFocused(false),
  }
}

// Pixels before a touch becomes a drag.
const slackPx = 8
// The part of the width after which a drag changes the slide.
const farPart = 0.15

interface Swipe {
  isBlocked: boolean
  /** Gets the dragged distance in pixels; negative to the left. */
  onDrag: (pulled: number) => void
  onRelease: (pulled: number, isFar: boolean) => void
}

/** Horizontal drags only; vertical scrolling stays the browser's, by `touch-action`. */
function useSwipe(target: RefObject<HTMLElement | null>, { isBlocked, onDrag, onRelease }: Swipe): void {
  const pull = useEffectEvent(onDrag)
  const release = useEffectEvent(onRelease)
  const mayBegin = useEffectEvent((event: PointerEvent) => {
    return !isBlocked && event.isPrimary && event.pointerType !== 'mouse'
  })

  useEffect(() => {
    const element = target.current
    if (!element) return
    return abortable(({ signal }) => {
      let begin: { id: number; x: number } | null = null
      const pulledBy = (event: PointerEvent) => {
        const pulled = begin?.id === event.pointerId ? event.clientX - begin.x : 0
        return Math.abs(pulled) > slackPx ? pulled : 0
      }
      const end = (pulled: number) => {
        begin = null
        release(pulled, Math.abs(pulled) > element.clientWidth * farPart)
      }
      const on = (
        type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
        follow: (event: PointerEvent) => void,
      ) => element.addEventListener(type, follow, { signal })
      on('pointerdown', (event) => {
        if (!mayBegin(event)) return
        begin = { id: event.pointerId, x: event.clientX }
        element.setPointerCapture(event.pointerId)
      })
      on('pointermove', (event) => {
        if (begin) pull(pulledBy(event))
      })
      on('pointerup', (event) => {
        if (begin) end(pulledBy(event))
      })
      on('pointercancel', () => {
        if (begin) end(0)
      })
    })
  }, [target])
}

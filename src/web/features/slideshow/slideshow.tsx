import { clsx } from 'clsx'
import { type CSSProperties, type Ref, useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Picture } from '#web/components/picture.tsx'
import type { Section } from '#web/lib/section.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import {
  barClass,
  dotClass,
  dotsClass,
  followSlides,
  initialTransition,
  type Transition,
  wrapIndex,
} from './transition.ts'

interface SlideshowProps {
  slides: Section<Slide[]>
  isAdmin: boolean
}

/** Product 1.4. */
export function Slideshow({ slides: { data, failure }, isAdmin }: SlideshowProps) {
  const { revalidate } = useRevalidator()
  if (data?.length === 0 && !isAdmin) return null
  return (
    <div className="page-width pt-6 md:pt-14">
      {failure !== null ? (
        <ErrorBanner message={failure} onRetry={() => void revalidate()} />
      ) : data.length === 0 ? (
        <EmptyState title="No slideshow images available" action={<ManagerLink>Add Slideshow</ManagerLink>}>
          Visitors see nothing here until a slide is active.
        </EmptyState>
      ) : (
        <Carousel slides={data} />
      )}
      {isAdmin && data?.length !== 0 && (
        <div className="mt-3 flex justify-end">
          <ManagerLink>Manage Slideshow</ManagerLink>
        </div>
      )}
    </div>
  )
}

function ManagerLink({ children }: { children: string }) {
  return (
    <ButtonLink to="/admin?tab=slideshow" variant="outline">
      {children}
    </ButtonLink>
  )
}

// Starts when this much of it is on the screen: below the banner only its edge is visible.
const seenMargin = '0px 0px -30%'

/** The player's scripts load when the slides are on the screen; until then the first slide is shown. */
function Carousel({ slides }: { slides: readonly Slide[] }) {
  const [storedTransition, setTransition] = useState(initialTransition)
  const [drag, setDrag] = useState(0)
  const [Player, setPlayer] = useState<typeof import('./slide-player.tsx').SlidePlayer>()
  const frame = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const hasSeveral = slides.length > 1
  // The visible slide stays when others are added, deleted or moved.
  const transition = followSlides(storedTransition, slides)
  if (transition !== storedTransition) setTransition(transition)

  useEffect(() => {
    if (!frame.current || !hasSeveral) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        void import('./slide-player.tsx').then(
          ({ SlidePlayer }) => setPlayer(() => SlidePlayer),
          // The first slide stays if there is no connection, as it does without scripts.
          () => undefined,
        )
      },
      { rootMargin: seenMargin },
    )
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [hasSeveral])

  return (
    <section
      ref={frame}
      aria-roledescription="carousel"
      aria-label="Slideshow"
      className="overflow-hidden rounded-box border bg-card shadow-card"
    >
      <SlideStage
        ref={stage}
        slides={slides}
        transition={transition}
        drag={drag}
        isReady={Player !== undefined}
      />
      {hasSeveral && (
        <div className="noscript:hidden">
          {Player ? (
            <Player
              slides={slides}
              transition={transition}
              drag={drag}
              frame={frame}
              stage={stage}
              onTransition={setTransition}
              onDrag={setDrag}
            />
          ) : (
            <SlideBarRoom slides={slides} />
          )}
        </div>
      )}
    </section>
  )
}

/** Reserves the rows of the buttons until their scripts load. */
function SlideBarRoom({ slides }: { slides: readonly { id: string }[] }) {
  return (
    <div aria-hidden="true" className={barClass}>
      <span className="mr-auto size-11" />
      <span className={dotsClass(slides.length)}>
        {slides.map(({ id }) => (
          <span key={id} className={dotClass(slides.length)} />
        ))}
      </span>
      <span className="size-11" />
      <span className="size-11" />
    </div>
  )
}

interface SlideStageProps {
  slides: readonly Slide[]
  transition: Transition
  /** The dragged distance in pixels; negative towards the next slide. */
  drag: number
  isReady: boolean
  ref: Ref<HTMLDivElement>
}

function SlideStage({ slides, transition, drag, isReady, ref }: SlideStageProps) {
  const { length } = slides
  const t = useTranslation()
  const beside = slides[wrapIndex(transition.index + (drag < 0 ? 1 : -1), length)]?.id
  const neighbours = [1, -1].map((step) => slides[wrapIndex(transition.index + step, length)]?.id)
  return (
    <div
      ref={ref}
      className="grid touch-pan-y overflow-hidden bg-pine-deep text-on-pine noscript:flex noscript:snap-x noscript:snap-mandatory noscript:overflow-x-auto"
    >
      {slides.map((slide, index) => {
        const isShown = slide.id === transition.current
        const isPulled = drag !== 0 && slide.id === beside
        const isSeen = isShown || slide.id === transition.leaving || isPulled
        return (
          <SlideView
            key={slide.id}
            slide={slide}
            label={t(`Slide ${index + 1} of ${length}`)}
            isSeen={isSeen}
            isNear={isSeen || (isReady && neighbours.includes(slide.id))}
            className={isSeen ? motionOf(slide.id, transition) : undefined}
            style={isSeen ? styleOf(slide.id, transition, drag) : undefined}
          />
        )
      })}
    </div>
  )
}

function motionOf(id: string, { current, leaving }: Transition): string | undefined {
  if (leaving === null) return undefined
  return id === current ? 'slide-in' : 'slide-out'
}

type SlideStyle = CSSProperties & { '--slide-from'?: string; '--slide-to'?: string }

/** See the utilities slide-in and slide-out. */
function styleOf(
  id: string,
  { current, leaving, direction, from }: Transition,
  drag: number,
): SlideStyle | undefined {
  const isShown = id === current
  if (leaving !== null) {
    return isShown
      ? { '--slide-from': `calc(${direction * 100}% + ${from})` }
      : { '--slide-from': from, '--slide-to': `${direction * -100}%` }
  }
  if (drag === 0) return undefined
  return { translate: isShown ? `${drag}px` : `calc(${drag < 0 ? 100 : -100}% + ${drag}px)` }
}

interface SlideViewProps {
  slide: Slide
  label: string
  isSeen: boolean
  isNear: boolean
  className: string | undefined
  style: CSSProperties | undefined
}

// Aspect ratios between these fill the frame; other pictures are shown whole.
const fills = { leastRatio: 1.2, mostRatio: 3 }

/**
 * All slides share one grid cell, so the frame has the height of the highest. Without scripts they
 * are side by side and scroll.
 */
function SlideView({ slide, label, isSeen, isNear, className, style }: SlideViewProps) {
  const { title, description, image } = slide
  const ratio = image.width / image.height
  const isFilling = ratio >= fills.leastRatio && ratio <= fills.mostRatio
  const hasText = title !== '' || description !== ''
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls; this is a slide of a carousel
    <div
      role="group"
      aria-roledescription="slide"
      aria-label={label}
      style={style}
      className={clsx(
        'relative flex min-w-0 flex-col justify-center [grid-area:1/1] noscript:visible noscript:w-full noscript:shrink-0 noscript:snap-start',
        !isSeen && 'invisible',
        className,
      )}
    >
      <div className="relative aspect-video grow lg:aspect-21/9">
        <div className={clsx(!isNear && 'hidden noscript:block')}>
          <Picture
            picture={image}
            // The slide's text is rendered beside the image.
            alt={hasText ? '' : 'Image without a description'}
            sizes="(min-width: 72rem) 68rem, 100vw"
            className={clsx('absolute inset-0 size-full', isFilling ? 'object-cover' : 'object-contain')}
          />
        </div>
      </div>
      {hasText && (
        <div className="grow bg-pine-deep p-4 wrap-anywhere lg:absolute lg:bottom-5 lg:left-5 lg:max-w-2xl lg:rounded-box lg:bg-pine-deep/90 lg:px-5">
          {title !== '' && (
            <p dir="auto" className="text-lg leading-snug font-bold lg:text-2xl">
              {title}
            </p>
          )}
          {description !== '' && (
            <p dir="auto" className="mt-1 whitespace-pre-line text-on-pine-muted first:mt-0">
              {description}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import type { Slide } from '#shared/slides.ts'
import { Picture } from '#web/components/picture.tsx'

interface SlideViewProps {
  slide: Slide
  /** 'Slide 2 of 5'. */
  label: string
  isFirst: boolean
  /** Whether it is in sight, if only while it moves. */
  isSeen: boolean
  /** Whether its picture is wanted: seen now or next. */
  isNear: boolean
  className: string | undefined
  style: CSSProperties | undefined
}

/** Pictures much wider or taller than their frame are shown whole; the others fill it. */
const fills = { leastRatio: 1.2, mostRatio: 3 }

/**
 * One slide. All of them lie on each other, so that the frame has the height of the highest and never changes it.
 * Without scripts they stand side by side and are scrolled.
 */
export function SlideView({ slide, label, isFirst, isSeen, isNear, className, style }: SlideViewProps) {
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
      <div className="relative aspect-4/3 max-h-[90vw] grow sm:aspect-video lg:aspect-21/9">
        <div className={clsx(!isNear && 'hidden noscript:block')}>
          <Picture
            picture={image}
            // What the slide says stands beside the picture as text.
            alt={hasText ? '' : 'A picture without a description'}
            sizes="(min-width: 72rem) 68rem, 100vw"
            isFirst={isFirst}
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

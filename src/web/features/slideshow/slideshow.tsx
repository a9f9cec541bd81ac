import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Slide } from '#shared/slides.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import type { Section } from '#web/lib/section.ts'
import { SlideBarRoom } from './slide-bar-room.tsx'
import { SlideStage } from './slide-stage.tsx'
import { firstTurn, followSlides } from './turn.ts'

interface SlideshowProps {
  slides: Section<Slide[]>
  isAdmin: boolean
}

/** The slides of the home page (spec §2 "Slideshow (public)"). */
export function Slideshow({ slides: { data, failure }, isAdmin }: SlideshowProps) {
  const { revalidate } = useRevalidator()
  if (data?.length === 0 && !isAdmin) return null
  return (
    <div className="page-width pt-10 md:pt-14">
      {failure !== null ? (
        <ErrorBanner message={failure} onRetry={() => void revalidate()} />
      ) : data.length === 0 ? (
        <EmptyState title="No slideshow images available" action={<ManagerLink>Add Slideshow</ManagerLink>}>
          Visitors see nothing here until there is an active slide.
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

/** It begins to move when it has come this far into the screen: below the banner only its edge is seen. */
const seenMargin = '0px 0px -30%'

/** One slide after the other. What moves them is loaded when they are seen; until then it is the first. */
function Carousel({ slides }: { slides: readonly Slide[] }) {
  const [kept, setTurn] = useState(firstTurn)
  const [drag, setDrag] = useState(0)
  const [Player, setPlayer] = useState<typeof import('./slide-player.tsx').SlidePlayer>()
  const frame = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const hasSeveral = slides.length > 1
  // The slide that is seen stays, whatever is added, deleted or moved around it.
  const turn = followSlides(kept, slides)
  if (turn !== kept) setTurn(turn)

  useEffect(() => {
    if (!frame.current || !hasSeveral) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        void import('./slide-player.tsx').then(
          ({ SlidePlayer }) => setPlayer(() => SlidePlayer),
          // Without a connection the first slide stays, as without scripts.
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
      <SlideStage ref={stage} slides={slides} turn={turn} drag={drag} isReady={Player !== undefined} />
      {hasSeveral && (
        <div className="noscript:hidden">
          {Player ? (
            <Player
              slides={slides}
              turn={turn}
              drag={drag}
              frame={frame}
              stage={stage}
              onTurn={setTurn}
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

import { barLook, dotLook, dotsLook } from './slide-bar.ts'

/** The room of the buttons until they come with their scripts: they take as many rows as their dots need. */
export function SlideBarRoom({ slides }: { slides: readonly { id: string }[] }) {
  return (
    <div aria-hidden="true" className={barLook}>
      <span className="mr-auto size-11" />
      <span className={dotsLook(slides.length)}>
        {slides.map(({ id }) => (
          <span key={id} className={dotLook(slides.length)} />
        ))}
      </span>
      <span className="size-11" />
      <span className="size-11" />
    </div>
  )
}

import { Component, createRef, type ReactNode } from 'react'

/** Marks a row by the student it stands for; what `KeepInView` holds on to. */
export const rowAttribute = 'data-student'

interface Anchor {
  id: string
  top: number
}

/**
 * Keeps what is being read where it is while rows come and go above it: the page scrolls along. Nothing
 * scrolls for somebody at the top of the page who isn't at a row; there new rows simply appear.
 *
 * A class, because only a class is asked right before the document changes.
 */
export class KeepInView extends Component<{ children: ReactNode }> {
  private readonly frame = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Anchor | null {
    const frame = this.frame.current
    if (!frame) return null
    const isReading = window.scrollY > 0 || frame.matches(':hover') || frame.contains(document.activeElement)
    return isReading ? firstInView(frame) : null
  }

  override componentDidUpdate(_props: unknown, _state: unknown, anchor: Anchor | null) {
    if (!anchor) return
    const row = this.frame.current?.querySelector(`[${rowAttribute}="${CSS.escape(anchor.id)}"]`)
    if (!row) return
    const moved = row.getBoundingClientRect().top - anchor.top
    if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
  }

  override render() {
    // The browser's own anchoring, which not all of them have, would move the page a second time.
    return (
      <div ref={this.frame} className="[overflow-anchor:none]">
        {this.props.children}
      </div>
    )
  }
}

function firstInView(frame: HTMLElement): Anchor | null {
  for (const row of frame.querySelectorAll(`[${rowAttribute}]`)) {
    const { top, bottom } = row.getBoundingClientRect()
    const id = row.getAttribute(rowAttribute)
    if (bottom > 0 && top < window.innerHeight && id) return { id, top }
  }
  return null
}

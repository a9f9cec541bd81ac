import { Component, createRef, type ReactNode } from 'react'
import { actionAttribute, rowAttribute } from './row-attributes.ts'
import { focusRowAt, indexOfRow } from './row-focus.ts'

interface Anchor {
  id: string
  top: number
}

/** The row that has the focus. */
interface FocusedRow {
  id: string
  index: number
  /** Of the focused button. */
  action: string | null
}

interface Snapshot {
  anchor: Anchor | null
  focused: FocusedRow | null
}

/**
 * Keeps what is being read where it is while rows come and go above it: the page scrolls along. Nothing
 * scrolls for somebody at the top of the page who isn't at a row; there new rows simply appear. When the row
 * with the focus goes away, the one in its place gets it.
 *
 * A class, because only a class is asked right before the document changes.
 */
export class KeepInView extends Component<{ children: ReactNode }> {
  private readonly frame = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Snapshot {
    const frame = this.frame.current
    if (!frame) return { anchor: null, focused: null }
    const focused = focusedRow()
    const isReading = window.scrollY > 0 || frame.matches(':hover') || frame.contains(document.activeElement)
    return { anchor: isReading ? firstInView(frame) : null, focused }
  }

  override componentDidUpdate(_props: unknown, _state: unknown, { anchor, focused }: Snapshot) {
    if (focused && indexOfRow(focused.id) === -1) focusRowAt(focused.index, focused.action)
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

function focusedRow(): FocusedRow | null {
  const focused = document.activeElement
  const id = focused?.closest(`[${rowAttribute}]`)?.getAttribute(rowAttribute)
  return focused && id ? { id, index: indexOfRow(id), action: focused.getAttribute(actionAttribute) } : null
}

function firstInView(frame: HTMLElement): Anchor | null {
  for (const row of frame.querySelectorAll(`[${rowAttribute}]`)) {
    const { top, bottom } = row.getBoundingClientRect()
    const id = row.getAttribute(rowAttribute)
    if (bottom > 0 && top < window.innerHeight && id) return { id, top }
  }
  return null
}

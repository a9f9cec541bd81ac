import { Component, type ReactNode, type RefObject } from 'react'

interface KeepPlaceProps {
  /** What scrolls. */
  viewport: RefObject<HTMLElement | null>
  children: ReactNode
}

interface Place {
  id: string
  x: number
  y: number
}

/**
 * Keeps a box of the chart where it is on the screen when others come and go: the one in focus, else the
 * highlighted one, else the first. A class, because only that can look before React changes the page.
 */
export class KeepPlace extends Component<KeepPlaceProps> {
  override getSnapshotBeforeUpdate(): Place | null {
    const viewport = this.props.viewport.current
    const focused = document.activeElement?.closest('[data-node]')
    const box =
      (focused && viewport?.contains(focused) ? focused : null) ??
      viewport?.querySelector('[aria-selected="true"]') ??
      viewport?.querySelector('[data-node]')
    if (!(box instanceof HTMLElement)) return null
    const { left, top } = box.getBoundingClientRect()
    return { id: box.dataset.node ?? '', x: left, y: top }
  }

  override componentDidUpdate(_props: unknown, _state: unknown, before: Place | null) {
    const viewport = this.props.viewport.current
    if (viewport === null || before === null) return
    const box = viewport.querySelector(`[data-node="${CSS.escape(before.id)}"]`)
    if (box === null) return
    const { left, top } = box.getBoundingClientRect()
    viewport.scrollLeft += left - before.x
    viewport.scrollTop += top - before.y
  }

  override render() {
    return this.props.children
  }
}

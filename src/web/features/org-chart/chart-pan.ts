/** A press becomes a drag after this many pixels. */
const slack = 4
/** How far an arrow key moves the chart, in pixels. */
const keyStep = 80

const keyMoves: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, -keyStep],
  ArrowDown: [0, keyStep],
}

/**
 * Moves a chart by dragging it with the mouse, and by arrow keys with the shift key. Fingers and wheels scroll
 * it by themselves.
 *
 * @returns how to end it
 */
export function startPan(viewport: HTMLElement): () => void {
  let last: { x: number; y: number } | undefined
  let isDragging = false

  function onDown(event: PointerEvent) {
    if (event.pointerType !== 'mouse' || event.button !== 0 || isElsewhere(event.target)) return
    last = { x: event.clientX, y: event.clientY }
    isDragging = false
  }

  function onMove(event: PointerEvent) {
    if (last === undefined) return
    const dx = event.clientX - last.x
    const dy = event.clientY - last.y
    if (!isDragging) {
      if (Math.hypot(dx, dy) < slack) return
      isDragging = true
      viewport.setPointerCapture(event.pointerId)
      viewport.dataset.dragging = ''
    }
    viewport.scrollLeft -= dx
    viewport.scrollTop -= dy
    last = { x: event.clientX, y: event.clientY }
  }

  function onUp() {
    last = undefined
    delete viewport.dataset.dragging
  }

  /** The press that ends a drag isn't meant for the box under it. */
  function onClick(event: MouseEvent) {
    if (isDragging) event.stopPropagation()
    isDragging = false
  }

  function onKey(event: KeyboardEvent) {
    const move = event.shiftKey ? keyMoves[event.key] : undefined
    if (move === undefined) return
    event.preventDefault()
    viewport.scrollBy({ left: move[0], top: move[1] })
  }

  const stopping = new AbortController()
  const { signal } = stopping
  viewport.addEventListener('pointerdown', onDown, { signal })
  viewport.addEventListener('pointermove', onMove, { signal })
  viewport.addEventListener('pointerup', onUp, { signal })
  viewport.addEventListener('pointercancel', onUp, { signal })
  viewport.addEventListener('click', onClick, { capture: true, signal })
  viewport.addEventListener('keydown', onKey, { signal })
  return () => stopping.abort()
}

/** What has a drag of its own. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[draggable="true"], input, select, textarea') !== null
}

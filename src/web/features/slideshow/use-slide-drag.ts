import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

interface SlideDrag {
  id: string
  card: RefObject<HTMLElement | null>
  /** What of the card is taken hold of. */
  handle: RefObject<HTMLElement | null>
  isEnabled: boolean
  /** Another card was let go over this one. */
  onDrop: (id: string) => void
}

/** Lets a card be dragged onto another one's place. */
export function useSlideDrag({ id, card, handle, isEnabled, onDrop }: SlideDrag) {
  const [isDragged, setDragged] = useState(false)
  const [isTarget, setTarget] = useState(false)
  const drop = useEffectEvent(onDrop)

  useEffect(() => {
    if (!isEnabled || !card.current || !handle.current) return
    return combine(
      draggable({
        element: card.current,
        dragHandle: handle.current,
        getInitialData: () => ({ slide: id }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element: card.current,
        canDrop: ({ source }) => typeof source.data.slide === 'string' && source.data.slide !== id,
        onDragEnter: () => setTarget(true),
        onDragLeave: () => setTarget(false),
        onDrop: ({ source }) => {
          setTarget(false)
          if (typeof source.data.slide === 'string') drop(source.data.slide)
        },
      }),
    )
  }, [id, card, handle, isEnabled])

  return { isDragged, isTarget }
}

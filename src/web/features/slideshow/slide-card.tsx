import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, Ellipsis, Eye, EyeOff, GripVertical, Pencil, Trash2 } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { Badge } from '#web/components/badge.tsx'
import { IconButton, SmallButton } from '#web/components/button.tsx'
import { Menu } from '#web/components/menu.tsx'
import { Picture } from '#web/components/picture.tsx'
import { slideName } from './data.ts'

export interface SlideCardActions {
  onEdit: (slide: Slide) => void
  onToggle: (slide: Slide) => void
  onDelete: (slide: Slide) => void
  onMove: (slide: Slide, place: number) => void
  onDrop: (id: string, place: number) => void
}

interface SlideCardProps extends SlideCardActions {
  slide: Slide
  place: number
  count: number
  isMovable: boolean
  isBusy: boolean
}

export function slideMenuId(id: string): string {
  return `slide-menu-${id}`
}

export function SlideCard(props: SlideCardProps) {
  const { slide, place, count, isMovable, isBusy } = props
  const { onEdit, onToggle, onDelete, onMove, onDrop } = props
  const { id, title, description, active } = slide
  const name = slideName(slide)
  const card = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLDivElement>(null)
  const { isDragged, isTarget } = useSlideDrag({
    id,
    card,
    handle,
    isEnabled: isMovable,
    onDrop: (dropped) => onDrop(dropped, place),
  })
  const moves = isMovable
    ? [
        {
          label: 'Move up',
          key: 'ArrowUp',
          icon: ArrowUp,
          disabled: place === 0,
          onSelect: () => onMove(slide, place - 1),
        },
        {
          label: 'Move down',
          key: 'ArrowDown',
          icon: ArrowDown,
          disabled: place === count - 1,
          onSelect: () => onMove(slide, place + 1),
        },
      ]
    : []
  return (
    <li
      ref={card}
      data-slide={id}
      // Capture: the menu's button opens on an arrow key.
      onKeyDownCapture={(event) => {
        const move = moves.find(({ key }) => event.altKey && event.key === key)
        if (!move) return
        event.preventDefault()
        event.stopPropagation()
        if (!move.disabled) move.onSelect()
      }}
      className={clsx(
        'flex min-w-0 flex-col overflow-hidden rounded-box border shadow-card',
        active ? 'bg-card' : 'bg-soft',
        isTarget && 'outline-2 outline-offset-2 outline-primary',
        isDragged && 'opacity-60',
      )}
    >
      <div
        ref={handle}
        className={clsx(
          'relative aspect-video bg-pine-deep',
          isMovable && 'cursor-grab active:cursor-grabbing',
        )}
      >
        <Picture
          picture={slide.image}
          alt=""
          sizes="(min-width: 80rem) 24rem, (min-width: 48rem) 45vw, 95vw"
          className={clsx(
            'pointer-events-none absolute inset-0 size-full object-contain',
            !active && 'opacity-45 grayscale',
          )}
        />
        <span className="absolute top-2 left-2 grid min-w-8 place-items-center rounded-box bg-pine-deep/90 px-2 py-1 text-sm font-bold text-on-pine tabular-nums">
          <span className="sr-only">Number </span>
          {place + 1}
        </span>
        {isMovable && (
          <GripVertical className="absolute top-2 right-2 h-8 w-6 rounded-box bg-pine-deep/90 p-0.5 text-on-pine" />
        )}
      </div>
      <div className="flex grow flex-col gap-1 p-3">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
          <h2
            dir="auto"
            className={clsx(
              'min-w-[min(8rem,100%)] flex-1 font-semibold wrap-anywhere',
              !active && 'text-muted',
            )}
          >
            {title || 'No title'}
          </h2>
          <Badge tone={active ? 'success' : 'neutral'}>{active ? 'Active' : 'Inactive'}</Badge>
        </div>
        <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-muted">
          {description}
        </p>
        <div className="mt-auto flex flex-wrap items-center gap-1 pt-2">
          <SmallButton data-first aria-label={`Edit ${name}`} icon={Pencil} onClick={() => onEdit(slide)}>
            Edit
          </SmallButton>
          <Menu
            align="start"
            trigger={
              <IconButton
                id={slideMenuId(id)}
                label={`Actions for ${name}`}
                icon={Ellipsis}
                className="max-md:size-11"
              />
            }
            entries={[
              ...moves,
              {
                label: active ? 'Deactivate' : 'Activate',
                icon: active ? EyeOff : Eye,
                disabled: isBusy,
                onSelect: () => onToggle(slide),
              },
              { label: 'Delete', icon: Trash2, danger: true, onSelect: () => onDelete(slide) },
            ]}
          />
        </div>
      </div>
    </li>
  )
}

interface SlideDrag {
  id: string
  card: RefObject<HTMLElement | null>
  handle: RefObject<HTMLElement | null>
  isEnabled: boolean
  onDrop: (id: string) => void
}

/** Drag and drop of one card onto another's place. */
function useSlideDrag({ id, card, handle, isEnabled, onDrop }: SlideDrag) {
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

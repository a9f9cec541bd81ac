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

export function moveButtonId(id: string, step: 1 | -1): string {
  return `move-${step === 1 ? 'down' : 'up'}-${id}`
}

export function SlideCard(props: SlideCardProps) {
  const { slide, place, isMovable, isBusy, onEdit, onToggle, onDelete, onDrop } = props
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
  return (
    <li
      ref={card}
      data-slide={id}
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
        {isMovable && <MoveButtons {...props} name={name} />}
      </div>
      <div className="flex grow flex-col gap-1 p-3">
        <div className="flex items-start justify-between gap-3">
          <h2 dir="auto" className={clsx('min-w-0 font-semibold wrap-anywhere', !active && 'text-muted')}>
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
            trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} className="max-md:size-11" />}
            entries={[
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

function MoveButtons({ slide, place, count, onMove, name }: SlideCardProps & { name: string }) {
  const buttonClass = 'text-on-pine! not-aria-disabled:hover:bg-pine! aria-disabled:opacity-40 max-md:size-11'
  return (
    <div className="on-pine absolute top-2 right-2 flex items-center rounded-box bg-pine-deep/90 text-on-pine">
      <IconButton
        id={moveButtonId(slide.id, -1)}
        label={`Move ${name} up`}
        className={buttonClass}
        aria-disabled={place === 0}
        onClick={() => place > 0 && onMove(slide, place - 1)}
        icon={ArrowUp}
      />
      <IconButton
        id={moveButtonId(slide.id, 1)}
        label={`Move ${name} down`}
        className={buttonClass}
        aria-disabled={place === count - 1}
        onClick={() => place < count - 1 && onMove(slide, place + 1)}
        icon={ArrowDown}
      />
      <GripVertical className="mr-2 size-5" />
    </div>
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

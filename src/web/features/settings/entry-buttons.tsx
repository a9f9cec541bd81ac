import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { IconButton } from '#web/components/button.tsx'

interface EntryButtonsProps {
  /** Of the list: the buttons' ids are `{id}-up-{index}`, `{id}-down-{index}` and `{id}-remove-{index}`. */
  id: string
  index: number
  /** The last place of the list. */
  last: number
  /** What the entry is called. */
  name: string
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

/** Moves an entry of a list up or down, or takes it out. */
export function EntryButtons({ id, index, last, name, onMove, onRemove }: EntryButtonsProps) {
  return (
    <>
      <IconButton
        id={`${id}-up-${index}`}
        label={`Move ${name} up`}
        className="max-md:size-11"
        disabled={index === 0}
        onClick={() => onMove(-1)}
      >
        <ArrowUp aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        id={`${id}-down-${index}`}
        label={`Move ${name} down`}
        className="max-md:size-11"
        disabled={index === last}
        onClick={() => onMove(1)}
      >
        <ArrowDown aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        id={`${id}-remove-${index}`}
        label={`Remove ${name}`}
        className="max-md:size-11"
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </>
  )
}

import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import type { Place } from './place-search.ts'

interface PlaceListProps {
  /** Also the stem of the options' ids, which the text field points at. */
  id: string
  places: readonly Place[]
  /** The option that the arrow keys have reached; -1 for none. */
  active: number
  onChoose: (place: Place) => void
}

/** The suggestions under the municipality, opened and steered by its text field (combobox pattern). */
export function PlaceList({ id, places, active, onChoose }: PlaceListProps) {
  const list = useRef<HTMLDivElement>(null)
  const isOpen = places.length > 0

  useEffect(() => {
    // On a phone the keyboard leaves little room under the field.
    if (isOpen) list.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])

  return (
    <div
      id={id}
      ref={list}
      role="listbox"
      aria-label="Municipalities and cities"
      hidden={!isOpen}
      className="absolute top-full right-0 left-0 z-30 mt-1 max-h-72 overflow-y-auto rounded-box border bg-card py-1 shadow-card"
    >
      {places.map((place, index) => (
        <PlaceOption
          key={`${place.municipality} ${place.province} ${place.zipCode}`}
          id={`${id}-${index}`}
          place={place}
          isActive={index === active}
          onChoose={() => onChoose(place)}
        />
      ))}
    </div>
  )
}

function PlaceOption({
  id,
  place,
  isActive,
  onChoose,
}: {
  id: string
  place: Place
  isActive: boolean
  onChoose: () => void
}) {
  return (
    // The keys are the text field's, which keeps the focus (combobox pattern).
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div
      id={id}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' })
      }}
      role="option"
      aria-selected={isActive}
      className={clsx(
        'flex min-h-11 cursor-pointer items-center justify-between gap-3 px-3 py-1.5',
        isActive ? 'bg-primary-soft' : 'hover:bg-soft',
      )}
      // Pressing must not take the focus away, or the list would close before the click.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className="min-w-0">
        {place.municipality}
        <span className="text-muted">, {place.province}</span>
      </span>
      <span className="text-sm text-muted tabular-nums">{place.zipCode}</span>
    </div>
  )
}

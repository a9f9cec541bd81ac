import { clsx } from 'clsx'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { controlSize, Field } from '#web/components/field.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'
import { setAnswer, useStudentField } from './field-context.ts'
import { PlaceList } from './place-list.tsx'
import type { Place } from './place-search.ts'
import { usePlaceSearch } from './use-place-search.ts'

const listId = 'municipality-list'

/**
 * Municipality or city with suggestions, and its ZIP code with it. Whatever is typed is accepted: the list
 * helps, it doesn't decide.
 */
export function MunicipalityField({ className }: { className: string }) {
  const { values, label, error } = useStudentField('municipalCity')
  const isHydrated = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const { places, search, clear } = usePlaceSearch()
  const [active, setActive] = useState(-1)
  const [otherZip, setOtherZip] = useState<Place>()
  const filledZip = useRef('')

  useEffect(() => {
    // Somebody was typing here before the scripts arrived.
    const typed = input.current
    if (typed && typed === document.activeElement) search(typed.value)
  }, [search])

  function close() {
    clear()
    setActive(-1)
  }

  function choose(place: Place) {
    if (!input.current) return
    setAnswer(input.current, `${place.municipality}, ${place.province}`)
    close()
    const zip = zipInputOf(input.current)
    if (!zip) return
    // A code that somebody typed is theirs; a code that we filled in follows the choice.
    if (zip.value === '' || zip.value === filledZip.current) fillZip(zip, place)
    else setOtherZip(zip.value === place.zipCode ? undefined : place)
  }

  function fillZip(zip: HTMLInputElement, place: Place) {
    setAnswer(zip, place.zipCode)
    filledZip.current = place.zipCode
    setOtherZip(undefined)
  }

  /** A code that we filled in belongs to the place that was chosen; it goes when another one is typed. */
  function dropFilledZip() {
    setOtherZip(undefined)
    const zip = input.current && zipInputOf(input.current)
    if (zip && filledZip.current !== '' && zip.value === filledZip.current) setAnswer(zip, '')
    filledZip.current = ''
  }

  function onKeyDown(event: KeyboardEvent) {
    const chosen = places[active]
    if (places.length === 0) return
    if (event.key === 'ArrowDown') setActive((active + 1) % places.length)
    else if (event.key === 'ArrowUp') setActive((active <= 0 ? places.length : active) - 1)
    else if (event.key === 'Enter' && chosen) choose(chosen)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }

  const isOpen = places.length > 0
  const combobox = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': isOpen,
    'aria-controls': listId,
    'aria-activedescendant': active >= 0 ? `${listId}-${active}` : undefined,
  } as const
  return (
    <Field
      id="municipalCity"
      label={label}
      error={error}
      hint={otherZip ? undefined : 'With your province'}
      className={clsx('relative', className)}
    >
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            // Before scripts arrive it is a plain text field and must not promise a list.
            {...(isHydrated ? combobox : {})}
            ref={input}
            type="text"
            name="municipalCity"
            defaultValue={values.municipalCity ?? ''}
            autoComplete="address-level2"
            autoCapitalize="words"
            enterKeyHint="next"
            className={clsx('control', controlSize('comfortable'))}
            onInput={(event) => {
              setActive(-1)
              // Only typing searches: an answer that a script or the browser fills in is complete.
              if (!(event.nativeEvent instanceof InputEvent)) return
              dropFilledZip()
              search(event.currentTarget.value)
            }}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
          {isHydrated && <PlaceList id={listId} places={places} active={active} onChoose={choose} />}
          {otherZip && (
            <p className="mt-1.5 flex flex-wrap items-center gap-x-3 text-sm text-muted">
              The ZIP code of {otherZip.municipality} is {otherZip.zipCode}.
              <Button
                variant="ghost"
                size="sm"
                onClick={() => {
                  const zip = input.current && zipInputOf(input.current)
                  if (zip) fillZip(zip, otherZip)
                }}
              >
                Use {otherZip.zipCode}
              </Button>
            </p>
          )}
        </div>
      )}
    </Field>
  )
}

function zipInputOf(municipality: HTMLInputElement): HTMLInputElement | undefined {
  const control = municipality.form?.elements.namedItem('zipCode')
  return control instanceof HTMLInputElement ? control : undefined
}

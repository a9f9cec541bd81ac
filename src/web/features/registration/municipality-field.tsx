import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { runAfter } from '#web/lib/timers.ts'
import { setAnswer } from './form-values.ts'

interface PostalCode {
  municipality: string
  province: string
  zipCode: string
}

interface MunicipalityFieldProps {
  label: string
  error: string | undefined
  defaultValue: string
}

// Debounce, in ms.
const pauseMs = 200
// Letters.
const shortestSearch = 2

const nameOf = ({ municipality, province }: PostalCode) => `${municipality}, ${province}`

/** The browser suggests names, and a chosen one brings its ZIP code. Any text is accepted. */
export function MunicipalityField(props: MunicipalityFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [search, setSearch] = useState('')
  const [postalCodes, setPostalCodes] = useState<readonly PostalCode[]>([])
  const [otherZip, setOtherZip] = useState<PostalCode>()
  const filledZip = useRef('')

  useEffect(() => {
    // The user was typing here before the scripts arrived.
    if (input.current === document.activeElement) setSearch(input.current?.value.trim() ?? '')
  }, [])

  useEffect(() => {
    if (search.length < shortestSearch) return
    return runAfter(pauseMs, async (signal) => {
      try {
        const { items } = await callApi(api.places.$get({ query: { search } }, { init: { signal } }))
        setPostalCodes(items)
      } catch {
        // A failed search gives no suggestions.
      }
    })
  }, [search])

  function zipInput() {
    const control = input.current?.form?.elements.namedItem('zipCode')
    return control instanceof HTMLInputElement ? control : undefined
  }

  function fillZip(zipCode: string) {
    const zip = zipInput()
    if (zip) setAnswer(zip, zipCode)
    filledZip.current = zipCode
    setOtherZip(undefined)
  }

  function follow(text: string) {
    setSearch(text.trim())
    const chosen = postalCodes.find((postalCode) => nameOf(postalCode) === text)
    const zip = zipInput()?.value ?? ''
    // A code that the user typed is theirs; a code that we filled in follows the choice, and goes with it.
    const isOurs = zip === filledZip.current
    if (!chosen) {
      setOtherZip(undefined)
      if (isOurs && zip !== '') fillZip('')
    } else if (isOurs || zip === '') fillZip(chosen.zipCode)
    else setOtherZip(zip === chosen.zipCode ? undefined : chosen)
  }

  return (
    <div className="col-span-6">
      <TextField
        {...props}
        ref={input}
        name="municipalCity"
        list="municipalities"
        hint={otherZip ? undefined : 'Include your province'}
        autoComplete="address-level2"
        autoCapitalize="words"
        enterKeyHint="next"
        onInput={(event) => follow(event.currentTarget.value)}
      />
      <datalist id="municipalities">
        {postalCodes.map((postalCode) => (
          // Browsers look for what was typed in the label too, where 'ñ' is the 'n' of most keyboards.
          <option
            key={`${nameOf(postalCode)} ${postalCode.zipCode}`}
            value={nameOf(postalCode)}
            label={`${postalCode.municipality.normalize('NFD').replace(/\p{M}/gu, '')} ${postalCode.zipCode}`}
          />
        ))}
      </datalist>
      {otherZip && (
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 text-sm text-muted">
          The ZIP code of {otherZip.municipality} is {otherZip.zipCode}.
          <Button variant="ghost" size="sm" onClick={() => fillZip(otherZip.zipCode)}>
            Use {otherZip.zipCode}
          </Button>
        </p>
      )}
    </div>
  )
}

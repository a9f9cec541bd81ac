import { clsx } from 'clsx'
import { type MouseEvent, useContext, useEffect, useRef, useState } from 'react'
import { consentNotice, consentStatement, guardianStatement } from '#shared/registration/consent.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import { Button } from '#web/components/button.tsx'
import { FieldErrorText, RequiredMark, TextField } from '#web/components/field.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { abortable, runAfter } from '#web/lib/timers.ts'
import { Phrase, useTranslation } from '#web/lib/translation.tsx'
import { span } from './choice-fields.tsx'
import { type FormValues, fieldContext, mailQuestion, setAnswer, valuesOf } from './form-values.ts'

export const answerLinkClass =
  'inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4'

interface PostalCode {
  municipality: string
  province: string
  zipCode: string
}

// Debounce, in ms.
const pauseMs = 200
// Letters.
const shortestSearch = 2

const nameOf = ({ municipality, province }: PostalCode) => `${municipality}, ${province}`
const provinceOf = (town: string) => town.split(', ').at(1)

/** The browser suggests names, and a chosen one brings its ZIP code and province. Any text is accepted. */
export function MunicipalityField(props: { label: string; error: string | undefined; defaultValue: string }) {
  const input = useRef<HTMLInputElement>(null)
  const t = useTranslation()
  const [search, setSearch] = useState('')
  const [postalCodes, setPostalCodes] = useState<readonly PostalCode[]>([])
  const [otherZip, setOtherZip] = useState<PostalCode>()
  const filledZip = useRef('')
  const filledProvince = useRef('')
  const townBefore = useRef('')

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

  function inputOf(name: 'zipCode' | 'province') {
    const control = input.current?.form?.elements.namedItem(name)
    return control instanceof HTMLInputElement ? control : undefined
  }

  function fillZip(zipCode: string) {
    const zip = inputOf('zipCode')
    if (zip) setAnswer(zip, zipCode)
    filledZip.current = zipCode
    setOtherZip(undefined)
  }

  /** What the user typed stays. */
  function fillProvince(name: string) {
    const province = inputOf('province')
    if (!province || province.value === name) return
    // A form that was brought back has both.
    const isOurs = [filledProvince.current, provinceOf(townBefore.current)].includes(province.value)
    if (!isOurs) return
    setAnswer(province, name)
    filledProvince.current = name
  }

  function follow(text: string) {
    setSearch(text.trim())
    const chosen = postalCodes.find((postalCode) => nameOf(postalCode) === text)
    fillProvince(chosen?.province ?? '')
    const zip = inputOf('zipCode')?.value ?? ''
    // A code that the user typed is theirs; a code that we filled in follows the choice, and goes with it.
    const isOurs = zip === filledZip.current
    if (!chosen) {
      setOtherZip(undefined)
      if (isOurs && zip !== '') fillZip('')
    } else if (isOurs || zip === '') fillZip(chosen.zipCode)
    else setOtherZip(zip === chosen.zipCode ? undefined : chosen)
  }

  return (
    <div className={span.wide}>
      <TextField
        {...props}
        ref={input}
        name="municipalCity"
        list="municipalities"
        hint={otherZip ? undefined : 'Include your province'}
        autoComplete="address-level2"
        autoCapitalize="words"
        enterKeyHint="next"
        onFocus={(event) => {
          townBefore.current = event.currentTarget.value
        }}
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
          {t(`The ZIP code of ${otherZip.municipality} is ${otherZip.zipCode}.`)}
          <Button variant="ghost" size="sm" onClick={() => fillZip(otherZip.zipCode)}>
            {`Use ${otherZip.zipCode}`}
          </Button>
        </p>
      )}
    </div>
  )
}

export function MailQuestion({ domain }: { domain: string }) {
  function takeDomain({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) {
    const control = currentTarget.form?.elements.namedItem('email')
    if (!(control instanceof HTMLInputElement)) return
    setAnswer(control, control.value.slice(0, control.value.lastIndexOf('@') + 1) + domain)
    // The button goes. A finger's press must not bring up the phone's keyboard, a key's must not lose its place.
    if (detail === 0) control.focus()
  }

  return (
    <button type="button" onClick={takeDomain} className={`-mt-1.5 -mb-3 ${answerLinkClass}`}>
      <Phrase text={mailQuestion(domain)} />
    </button>
  )
}

interface Shortcut {
  label: string
  answersOf: (values: FormValues) => Partial<FormValues>
}

// Answers by one press.
export const shortcuts: Partial<Record<StudentField, Shortcut>> = {
  guardianName: {
    label: 'Same as emergency contact',
    answersOf: (values) => ({
      guardianName: values.emergencyContactName,
      guardianAddress: values.emergencyContactAddress,
      guardianContactNumber: values.emergencyContactNumber,
    }),
  },
  emergencyContactName: {
    label: 'Same as guardian',
    answersOf: (values) => ({
      emergencyContactName: values.guardianName,
      emergencyContactNumber: values.guardianContactNumber,
      emergencyContactAddress: values.guardianAddress,
    }),
  },
}

/** Offered while it would fill an empty field; what was typed stays. */
export function ShortcutButton({ label, answersOf }: Shortcut) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOffered, setOffered] = useState(false)
  const t = useTranslation()

  function emptyControls() {
    const form = button.current?.form
    if (!form) return []
    const answers = Object.entries(answersOf(valuesOf(new FormData(form))))
    return answers.flatMap(([name, answer]) => {
      const control = form.elements.namedItem(name)
      const isFilled = answer !== '' && control instanceof HTMLInputElement && control.value === ''
      return isFilled ? [{ control, answer }] : []
    })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form stays
  useEffect(() => {
    const form = button.current?.form
    const update = () => setOffered(emptyControls().length > 0)
    update()
    form?.addEventListener('input', update)
    return () => form?.removeEventListener('input', update)
  }, [])

  return (
    <button
      ref={button}
      type="button"
      hidden={!isOffered}
      className={`-mt-1.5 -mb-3 ${answerLinkClass} noscript:hidden`}
      onClick={() => {
        for (const { control, answer } of emptyControls()) setAnswer(control, answer)
      }}
    >
      {t(label)}
    </button>
  )
}

/** The privacy notice in short and the required ticks (RA 10173). */
export function ConsentFields() {
  const t = useTranslation()
  const { values, errors, isMinor } = useContext(fieldContext)
  const place = useRef<HTMLDivElement>(null)
  const [guardian, setGuardian] = useState(values.guardianName ?? '')
  useEffect(() => {
    const form = place.current?.closest('form')
    if (!form) return
    const read = () => setGuardian(valuesOf(new FormData(form)).guardianName)
    read()
    return abortable(({ signal }) => form.addEventListener('input', read, { signal }))
  }, [])
  const hasError = errors.has('guardianConsent')
  return (
    <>
      <div ref={place} className="flex flex-col gap-3 text-sm text-muted stepped:gap-0 stepped:text-xs">
        {consentNotice.map((paragraph, index) => (
          <p key={paragraph} className={clsx(index > 0 && 'stepped:hidden')}>
            {t(paragraph)}
          </p>
        ))}
        {/* On a phone in two layers. */}
        <details className="hidden stepped:block">
          <summary className="min-h-8 content-center font-semibold text-fg">
            {t('Who gets your data, and your rights')}
          </summary>
          {consentNotice.slice(1).map((paragraph) => (
            <p key={paragraph} className="mt-1">
              {t(paragraph)}
            </p>
          ))}
        </details>
        <p>
          {/* A tab of its own: reading it must not cost what was typed. */}
          <a href="/privacy" target="_blank" rel="noopener" className={`${answerLinkClass} stepped:min-h-8`}>
            {t('Read the whole privacy notice')}
            <span className="sr-only"> {t('(opens in a new tab)')}</span>
          </a>
        </p>
      </div>
      <Tick name="consent" statement={consentStatement} isTicked={values.consent === 'true'} isRequired />
      {/* Without scripts it is shown to all. */}
      <div className={clsx(!isMinor && !hasError && 'hidden noscript:block')}>
        <Tick
          name="guardianConsent"
          statement={guardianStatement(guardian)}
          isTicked={values.guardianConsent === 'true'}
          isRequired={isMinor ?? false}
          isLeftOut={isMinor === false}
        />
      </div>
    </>
  )
}

interface TickProps {
  name: 'consent' | 'guardianConsent'
  statement: string
  isTicked: boolean
  isRequired: boolean
  isLeftOut?: boolean
}

function Tick({ name, statement, isTicked, isRequired, isLeftOut = false }: TickProps) {
  const t = useTranslation()
  const error = useContext(fieldContext).errors.get(name)
  return (
    <>
      <label
        className={clsx(
          'mt-2 flex items-start gap-3 rounded-box border p-4 stepped:mt-1 stepped:gap-2 stepped:px-2 stepped:py-1 stepped:text-[0.8125rem] stepped:leading-4.5 @max-[14rem]:flex-col has-checked:border-primary has-checked:bg-primary-soft',
          error === undefined ? 'border-edge' : 'border-danger',
        )}
      >
        <input
          type="checkbox"
          id={name}
          name={name}
          value="true"
          defaultChecked={isTicked}
          disabled={isLeftOut}
          aria-required={isRequired || undefined}
          aria-invalid={error !== undefined}
          aria-describedby={error && `${name}-error`}
          className="mt-0.5 size-5 shrink-0 accent-primary"
        />
        <span className="min-w-0 wrap-anywhere">
          {t(statement)}
          {isRequired && <RequiredMark />}
        </span>
      </label>
      {error !== undefined && (
        <div className="mt-1.5">
          <FieldErrorText id={`${name}-error`}>{error}</FieldErrorText>
        </div>
      )}
    </>
  )
}

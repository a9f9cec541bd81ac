import { clsx } from 'clsx'
import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { StudentField } from '#shared/students/student-fields.ts'
import { Button } from '#web/components/button.tsx'
import { controlSize, Field, TextAreaField, TextField } from '#web/components/field.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { fieldContext, mailQuestion, setAnswer, useStudentField } from './form-values.ts'

// The grid has six columns. On a phone a field takes all of them, a short one half.
const columnSpans = {
  2: 'sm:col-span-2',
  3: 'sm:col-span-3',
  4: 'sm:col-span-4',
  6: 'sm:col-span-6',
} as const

export function StudentTextField({ name, hint }: { name: TextFieldName; hint?: ReactNode }) {
  const { values, label, required, error } = useStudentField(name)
  const { columns, isShort, hint: usualHint, ...control } = textControl(name)
  return (
    <TextField
      {...control}
      name={name}
      label={label}
      hint={hint ?? usualHint}
      required={required}
      error={error}
      defaultValue={values[name] ?? ''}
      enterKeyHint="next"
      className={clsx(isShort ? 'col-span-3' : 'col-span-6', columnSpans[columns])}
    />
  )
}

export function EmailField() {
  const { mailDomain } = useContext(fieldContext)

  function takeDomain({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) {
    const control = currentTarget.form?.elements.namedItem('email')
    if (!mailDomain || !(control instanceof HTMLInputElement)) return
    setAnswer(control, control.value.slice(0, control.value.lastIndexOf('@') + 1) + mailDomain)
    // The button goes. A finger's press must not bring up the phone's keyboard, a key's must not lose its place.
    if (detail === 0) control.focus()
  }

  const question = mailDomain && (
    <button
      type="button"
      onClick={takeDomain}
      className="-mt-1.5 -mb-3 inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
    >
      {mailQuestion(mailDomain)}
    </button>
  )
  return <StudentTextField name="email" hint={question} />
}

export function StudentTextArea({
  name,
  hint,
  className,
}: {
  name: 'workExperience' | 'skills' | 'hobbies'
  hint: string
  className: string
}) {
  const { values, label, error } = useStudentField(name)
  return (
    <TextAreaField
      name={name}
      label={label}
      hint={hint}
      error={error}
      defaultValue={values[name] ?? ''}
      className={className}
    />
  )
}

type Attributes = Pick<
  ComponentProps<'input'>,
  'type' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck' | 'placeholder'
>

interface TextControl extends Attributes {
  hint?: string
  columns: 2 | 3 | 4 | 6
  isShort?: boolean
}

// `off` where the browser would fill in the student's own name or number in place of another person's.
const someoneElse = { autoComplete: 'off' } as const
const name = { ...someoneElse, autoCapitalize: 'words', spellCheck: false } as const
const phone = { type: 'tel', inputMode: 'tel' } as const
const code = { autoComplete: 'off', autoCapitalize: 'characters', spellCheck: false } as const
const year = { ...someoneElse, inputMode: 'numeric', placeholder: 'YYYY' } as const

const textControls = {
  lastName: { ...name, autoComplete: 'family-name', columns: 2 },
  firstName: { ...name, autoComplete: 'given-name', columns: 2 },
  middleName: { ...name, autoComplete: 'additional-name', columns: 2 },
  address: {
    autoComplete: 'address-line1',
    autoCapitalize: 'words',
    hint: 'House number, street, barangay',
    columns: 6,
  },
  zipCode: { autoComplete: 'postal-code', inputMode: 'numeric', columns: 3 },
  socialSecurityNumber: {
    ...code,
    inputMode: 'numeric',
    hint: 'SSS number, if you have one',
    columns: 3,
  },
  placeOfBirth: {
    autoComplete: 'off',
    autoCapitalize: 'words',
    hint: 'Municipality or city, province',
    columns: 6,
  },
  contactNumber: { ...phone, autoComplete: 'tel', hint: 'For example 0917 123 4567', columns: 3 },
  email: {
    type: 'email',
    inputMode: 'email',
    autoComplete: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    hint: 'We’ll send your confirmation here',
    columns: 3,
  },
  citizenship: { autoComplete: 'off', autoCapitalize: 'words', hint: 'For example Filipino', columns: 3 },
  religion: { autoComplete: 'off', autoCapitalize: 'words', columns: 3 },
  height: { autoComplete: 'off', hint: '5\'6" or 168 cm', columns: 2, isShort: true },
  weight: { autoComplete: 'off', hint: '130 lbs or 59 kg', columns: 2, isShort: true },
  studentId: { ...code, columns: 3 },
  serialNumber: {
    ...code,
    hint: 'Assigned after graduation; leave blank',
    columns: 2,
  },
  fatherName: { ...name, columns: 3 },
  fatherOccupation: { ...someoneElse, columns: 3 },
  motherName: { ...name, columns: 3 },
  motherOccupation: { ...someoneElse, columns: 3 },
  guardianName: { ...name, columns: 3 },
  guardianRelationship: { ...someoneElse, hint: 'For example aunt', columns: 3 },
  guardianAddress: { ...someoneElse, autoCapitalize: 'words', columns: 4 },
  guardianContactNumber: { ...phone, ...someoneElse, columns: 2 },
  elementarySchool: { ...someoneElse, autoCapitalize: 'words', columns: 4 },
  elementaryYearGraduated: { ...year, columns: 2 },
  highSchool: { ...someoneElse, autoCapitalize: 'words', columns: 4 },
  highSchoolYearGraduated: { ...year, columns: 2 },
  college: {
    ...someoneElse,
    autoCapitalize: 'words',
    hint: 'A college you attended before this one, if any',
    columns: 4,
  },
  collegeYearGraduated: { ...year, columns: 2 },
  emergencyContactName: { ...name, columns: 3 },
  emergencyContactNumber: { ...phone, ...someoneElse, columns: 3 },
  emergencyContactAddress: { ...someoneElse, autoCapitalize: 'words', columns: 6 },
} satisfies Partial<Record<StudentField, TextControl>>

type TextFieldName = keyof typeof textControls

function textControl(field: TextFieldName): TextControl {
  return textControls[field]
}

const listId = 'municipality-list'

/** Suggestions with their ZIP codes. Any text is accepted. */
export function MunicipalityField({ className }: { className: string }) {
  const { values, label, error } = useStudentField('municipalCity')
  const isHydrated = useHydrated()
  const input = useRef<HTMLInputElement>(null)
  const { postalCodes, search, clear } = usePostalCodeSearch()
  const [active, setActive] = useState(-1)
  const [otherZip, setOtherZip] = useState<PostalCode>()
  const filledZip = useRef('')

  useEffect(() => {
    // The user was typing here before the scripts arrived.
    const typed = input.current
    if (typed && typed === document.activeElement) search(typed.value)
  }, [search])

  function close() {
    clear()
    setActive(-1)
  }

  function choose(postalCode: PostalCode) {
    if (!input.current) return
    setAnswer(input.current, `${postalCode.municipality}, ${postalCode.province}`)
    close()
    const zip = zipInputOf(input.current)
    if (!zip) return
    // A code that the user typed is theirs; a code that we filled in follows the choice.
    if (zip.value === '' || zip.value === filledZip.current) fillZip(zip, postalCode)
    else setOtherZip(zip.value === postalCode.zipCode ? undefined : postalCode)
  }

  function fillZip(zip: HTMLInputElement, postalCode: PostalCode) {
    setAnswer(zip, postalCode.zipCode)
    filledZip.current = postalCode.zipCode
    setOtherZip(undefined)
  }

  // A ZIP code that was filled in automatically goes when another place is typed.
  function dropFilledZip() {
    setOtherZip(undefined)
    const zip = input.current && zipInputOf(input.current)
    if (zip && filledZip.current !== '' && zip.value === filledZip.current) setAnswer(zip, '')
    filledZip.current = ''
  }

  function onKeyDown(event: KeyboardEvent) {
    const chosen = postalCodes[active]
    if (postalCodes.length === 0) return
    if (event.key === 'ArrowDown') setActive((active + 1) % postalCodes.length)
    else if (event.key === 'ArrowUp') setActive((active <= 0 ? postalCodes.length : active) - 1)
    else if (event.key === 'Enter' && chosen) choose(chosen)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }

  const isOpen = postalCodes.length > 0
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
      hint={otherZip ? undefined : 'Include your province'}
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
          {isHydrated && (
            <PostalCodeList id={listId} postalCodes={postalCodes} active={active} onChoose={choose} />
          )}
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

// Debounce, in ms.
const pauseMs = 200

/** A failed search gives no suggestions. */
function usePostalCodeSearch() {
  const [postalCodes, setPostalCodes] = useState<readonly PostalCode[]>([])
  const running = useRef<AbortController>(undefined)

  const clear = useCallback(() => {
    running.current?.abort()
    setPostalCodes([])
  }, [])

  const search = useCallback((text: string) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    if (text.trim().length < shortestSearch) {
      setPostalCodes([])
      return
    }
    const timer = setTimeout(async () => {
      const found = await searchPostalCodes(text.trim(), signal).catch(() => [])
      if (!signal.aborted) setPostalCodes(found)
    }, pauseMs)
    signal.addEventListener('abort', () => clearTimeout(timer))
  }, [])

  useEffect(() => () => running.current?.abort(), [])
  return { postalCodes, search, clear }
}

interface PostalCodeListProps {
  /** Also the prefix of the options' ids. */
  id: string
  postalCodes: readonly PostalCode[]
  active: number
  onChoose: (postalCode: PostalCode) => void
}

/** WAI-ARIA combobox pattern; the text field handles the keys. */
function PostalCodeList({ id, postalCodes, active, onChoose }: PostalCodeListProps) {
  const list = useRef<HTMLDivElement>(null)
  const isOpen = postalCodes.length > 0

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
      {postalCodes.map((postalCode, index) => (
        <PostalCodeOption
          key={`${postalCode.municipality} ${postalCode.province} ${postalCode.zipCode}`}
          id={`${id}-${index}`}
          postalCode={postalCode}
          isActive={index === active}
          onChoose={() => onChoose(postalCode)}
        />
      ))}
    </div>
  )
}

function PostalCodeOption({
  id,
  postalCode,
  isActive,
  onChoose,
}: {
  id: string
  postalCode: PostalCode
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
        {postalCode.municipality}
        <span className="text-muted">, {postalCode.province}</span>
      </span>
      <span className="text-sm text-muted tabular-nums">{postalCode.zipCode}</span>
    </div>
  )
}

interface PostalCode {
  municipality: string
  province: string
  zipCode: string
}

// Letters.
const shortestSearch = 2

async function searchPostalCodes(search: string, signal: AbortSignal): Promise<PostalCode[]> {
  const { items } = await callApi(api.places.$get({ query: { search } }, { init: { signal } }))
  return items
}

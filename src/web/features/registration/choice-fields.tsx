import { clsx } from 'clsx'
import { type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import type { RegistrationOffer } from '#shared/registration/registration.ts'
import { componentNames, sexes } from '#shared/students/student-choices.ts'
import { FieldErrorText, RequiredMark, SelectField, TextField } from '#web/components/field.tsx'
import { monthOptions } from '#web/lib/birth-date.ts'
import { abortable } from '#web/lib/timers.ts'
import { Phrase, useTranslation } from '#web/lib/translation.tsx'
import { type FormValues, fieldContext, valuesOf } from './form-values.ts'

// The grid has six columns. On a phone a field takes all of them, a short one half.
export const span = {
  short: 'col-span-6 self-end @min-[16rem]:col-span-3 @min-[36rem]:col-span-2 @min-[36rem]:self-auto',
  // Two fields share a row. They end at the same height, also where the label of one of them takes two lines.
  pair: 'col-span-6 self-end @min-[16rem]:col-span-3 @min-[36rem]:self-auto',
  third: 'col-span-6 @min-[36rem]:col-span-2',
  half: 'col-span-6 @min-[36rem]:col-span-3',
  wide: 'col-span-6 @min-[36rem]:col-span-4',
  all: 'col-span-6',
}

interface ChoiceProps {
  name: string
  label: string
  required: boolean
  error: string | undefined
}

export interface OwnControlProps extends ChoiceProps {
  value: string
  offer: RegistrationOffer
}

export function SexField({ value, ...group }: OwnControlProps) {
  return (
    <ChoiceGroup {...group} role="radiogroup" className={span.half}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3">
        {sexes.map((sex, index) => (
          <label
            key={sex}
            className="control flex min-h-11 items-center gap-3 has-checked:border-primary has-checked:bg-primary-soft"
          >
            <input
              type="radio"
              id={index === 0 ? 'sex' : `sex-${sex}`}
              name="sex"
              value={sex}
              defaultChecked={value === sex}
              autoComplete="sex"
              className="size-5 accent-primary"
            />
            <Phrase text={sex} />
          </label>
        ))}
      </div>
    </ChoiceGroup>
  )
}

const components = [
  {
    name: 'CWTS',
    text: 'Service to the community: health, education, environment, safety.',
    graduates: 'Graduates join the National Service Reserve Corps.',
    checked: 'has-checked:border-blue has-checked:bg-blue-soft',
    word: 'text-blue',
  },
  {
    name: 'ROTC',
    text: 'Military training and leadership for national defense.',
    graduates: 'Graduates join the Citizen Armed Force.',
    checked: 'has-checked:border-olive has-checked:bg-olive-soft',
    word: 'text-olive',
  },
] as const

/** Undefined without scripts. */
function useAnswers(place: RefObject<HTMLElement | null>, isNeeded: boolean): FormValues | undefined {
  const [answers, setAnswers] = useState<FormValues>()
  useEffect(() => {
    const form = place.current?.closest('form')
    if (!form || !isNeeded) return
    const read = () => setAnswers(valuesOf(new FormData(form)))
    read()
    return abortable(({ signal }) => form.addEventListener('input', read, { signal }))
  }, [place, isNeeded])
  return answers
}

/** Offers the programs of the chosen course. Without scripts it offers all. */
export function ProgramField({ value, offer: { programs = [] }, ...field }: OwnControlProps) {
  const place = useRef<HTMLDivElement>(null)
  const course = useAnswers(place, true)?.course
  const ofCourse = programs.filter((each) => each.course === course).map(({ name }) => name)
  // A program of another course than the one chosen now is cleared.
  useEffect(() => {
    const select = place.current?.querySelector('select')
    if (select && course !== undefined && !ofCourse.includes(select.value)) select.value = ''
  })
  // All stay in the list, so that an answer that is brought back finds its option.
  const names = [...new Set(programs.map(({ name }) => name))]
  return (
    <div ref={place} className={clsx(span.all, ofCourse.length === 0 && 'hidden noscript:block')}>
      <SelectField
        {...field}
        defaultValue={value}
        options={names.map((name) => ({
          value: name,
          label: name,
          isHidden: course !== undefined && !ofCourse.includes(name),
        }))}
        placeholder="Not known"
        autoComplete="off"
      />
    </div>
  )
}

export function ComponentField({ value, offer: { full = [] }, ...group }: OwnControlProps) {
  const t = useTranslation()
  const { values } = useContext(fieldContext)
  const place = useRef<HTMLDivElement>(null)
  // Nothing is disabled without scripts: the answer to the post says that a component is full.
  const chosen = useAnswers(place, full.length > 0)
  const year = chosen?.academicYear ?? values.academicYear
  const isFull = (name: string) => full.some((each) => each.component === name && each.academicYear === year)
  return (
    <ChoiceGroup {...group} role="radiogroup" className={span.all}>
      <div ref={place} className="grid grid-cols-1 gap-3 wrap-anywhere @min-[36rem]:grid-cols-2">
        {components.map(({ name, text, graduates, checked, word }, index) => (
          <label
            key={name}
            className={clsx(
              'flex items-start gap-3 rounded-box border border-edge bg-card p-4 stepped:px-3 stepped:py-2 @max-[14rem]:flex-col',
              checked,
            )}
          >
            <input
              type="radio"
              id={index === 0 ? 'nstpComponent' : `nstpComponent-${name}`}
              name="nstpComponent"
              value={name}
              defaultChecked={value === name}
              // The chosen one stays: its answer is sent and refused, not lost.
              disabled={chosen && isFull(name) && chosen.nstpComponent !== name}
              aria-describedby={`nstpComponent-${name}-text`}
              className="mt-1 size-5 shrink-0 accent-primary"
            />
            <span className="min-w-0">
              <span className={clsx('block text-lg font-bold stepped:inline', word)}>{name}</span>{' '}
              <span className="block font-semibold stepped:inline">{componentNames[name]}</span>
              <span id={`nstpComponent-${name}-text`} className="mt-1 block text-sm text-muted">
                {isFull(name) && (
                  <span className="block font-semibold text-danger">{t(`Full for ${year}.`)} </span>
                )}
                {t(text)} <span className="stepped:hidden">{t(graduates)}</span>
              </span>
            </span>
          </label>
        ))}
      </div>
    </ChoiceGroup>
  )
}

const numberParts = [
  { part: 'Day', example: '14', autoComplete: 'bday-day' },
  { part: 'Year', example: '2008', autoComplete: 'bday-year' },
] as const

/**
 * Three controls: the browser's date picker opens at today, 200 taps from a birthday on many phones, and orders day and
 * month by the phone's language. The parts give number keys and autofill, and a month by name leaves no doubt.
 */
export function BirthDateField(group: ChoiceProps) {
  const { values, isMinor } = useContext(fieldContext)
  const state = { 'aria-invalid': group.error !== undefined, 'aria-required': group.required }
  return (
    <ChoiceGroup {...group} className="col-span-6 max-w-lg">
      <div className="grid grid-cols-2 gap-2 @min-[18.75rem]:grid-cols-[minmax(0,1fr)_3.25rem_5rem] @min-[36rem]:gap-3 @min-[36rem]:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.25fr)]">
        <SelectField
          {...state}
          id="dateOfBirth"
          name="birthMonth"
          label="Month"
          options={monthOptions}
          placeholder="Choose…"
          defaultValue={values.birthMonth ?? ''}
          autoComplete="bday-month"
          className="col-span-2 @min-[18.75rem]:col-span-1"
        />
        {numberParts.map(({ part, example, autoComplete }) => (
          <TextField
            {...state}
            key={part}
            name={`birth${part}`}
            label={part}
            inputMode="numeric"
            placeholder={example}
            defaultValue={values[`birth${part}`] ?? ''}
            autoComplete={autoComplete}
            enterKeyHint="next"
          />
        ))}
      </div>
      {isMinor !== true && (
        <p className="mt-1.5 hidden text-sm text-muted noscript:block">
          <Phrase text="Under 18? Then section 4 (Parent / guardian) and the last tick are required too." />
        </p>
      )}
      {/* On a phone the step itself asks for the guardian, and says why. */}
      <p role="status" className={clsx('text-sm stepped:sr-only', isMinor && 'mt-1.5')}>
        {isMinor && (
          <Phrase text="You are under 18: please fill in your parent or guardian too, in “Parent / guardian”." />
        )}
      </p>
    </ChoiceGroup>
  )
}

interface ChoiceGroupProps extends ChoiceProps {
  role?: 'radiogroup'
  className: string
  children: ReactNode
}

/** `name` is also the id of the first control, so that links and focus lead there. */
function ChoiceGroup({ name, label, required, error, role, className, children }: ChoiceGroupProps) {
  const t = useTranslation()
  const errorId = `${name}-error`
  // A plain group has no such states: there its controls carry them.
  const radioGroup = role && { role, 'aria-invalid': error !== undefined, 'aria-required': required }
  return (
    <fieldset {...radioGroup} aria-describedby={error && errorId} className={clsx('min-w-0', className)}>
      <legend className="mb-1.5 text-sm font-semibold stepped:mb-0.5">
        {t(label)}
        {required && <RequiredMark />}
      </legend>
      {children}
      {error !== undefined && (
        <div className="mt-1.5">
          <FieldErrorText id={errorId}>{error}</FieldErrorText>
        </div>
      )}
    </fieldset>
  )
}

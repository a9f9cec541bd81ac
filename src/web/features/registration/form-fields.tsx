import { clsx } from 'clsx'
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { RegistrationOffer } from '#shared/registration/registration.ts'
import {
  bloodTypes,
  civilStatuses,
  componentNames,
  nameExtensions,
  sexes,
  yearLevelLabels,
} from '#shared/students/student-choices.ts'
import {
  type FieldSection,
  fieldDefinition,
  isRequired,
  type StudentField,
} from '#shared/students/student-fields.ts'
import {
  FieldErrorText,
  RequiredMark,
  SelectField,
  TextAreaField,
  TextField,
} from '#web/components/field.tsx'
import { abortable } from '#web/lib/timers.ts'
import { Phrase, useTranslation } from '#web/lib/translation.tsx'
import {
  answerLinkClass,
  ConsentFields,
  MailQuestion,
  MunicipalityField,
  ShortcutButton,
  shortcuts,
} from './assisted-fields.tsx'
import { formSections, requiredOf, stepOf, stepsOf } from './form-progress.tsx'
import { type FormValues, fieldContext, monthNames, valuesOf } from './form-values.ts'

export function FormFields({ offer }: { offer: RegistrationOffer }) {
  const { isMinor = false } = useContext(fieldContext)
  const isAsked = (name: StudentField) => name !== 'program' || (offer.programs ?? []).length > 0
  return formSections.map((section, index) => {
    const { id, title, fields } = section
    return (
      <FormSectionCard
        key={id}
        id={id}
        title={title}
        number={index + 1}
        isRequired={requiredOf(section, isMinor).length > 0}
        lead={id === 'family' ? <FamilyLead isMinor={isMinor} /> : leads[id]}
        steps={stepsOf(fields, isMinor)}
      >
        <div className="grid grid-cols-6 gap-x-4 gap-y-5 stepped:gap-x-3 stepped:gap-y-2.5">
          {fields.filter(isAsked).map((name) => (
            <div key={name} data-step={stepOf(name, isMinor)} className="contents">
              <StudentControl name={name} offer={offer} />
            </div>
          ))}
        </div>
      </FormSectionCard>
    )
  })
}

export function ConsentCard({ asksCode = false }: Pick<RegistrationOffer, 'asksCode'>) {
  const { values, errors } = useContext(fieldContext)
  return (
    <FormSectionCard id="consent" title="Your consent" isRequired steps="review">
      {asksCode && (
        <TextField
          {...code}
          name="dayCode"
          label="Code of the day"
          hint="Ask at the NSTP office; it changes daily."
          required
          defaultValue={values.dayCode ?? ''}
          error={errors.get('dayCode')}
          className="mb-5 max-w-xs"
        />
      )}
      <ConsentFields />
    </FormSectionCard>
  )
}

function FamilyLead({ isMinor }: { isMinor: boolean }) {
  if (isMinor) {
    return (
      <span data-steps="personal">
        <Phrase text="You are under 18, so a parent or guardian must agree to your enlistment (Republic Act 10173). Give the name of one, their relationship to you and their number." />
      </span>
    )
  }
  return (
    <span className="stepped:hidden">
      <span className="noscript:hidden">
        <Phrase text="Nothing in sections 4 to 7 is required." />
      </span>
      <span className="hidden noscript:inline">
        <Phrase text="Nothing in sections 4 to 7 is required from age 18. Under 18, the guardian’s name, relationship and contact number are." />
      </span>{' '}
      <a href="#section-emergency" className={`${answerLinkClass} sm:min-h-0`}>
        <Phrase text="Skip to section 8" />
      </a>
    </span>
  )
}

const leads: Partial<Record<FieldSection, string>> = {
  emergency: 'Who should we contact in an emergency?',
  coverage: 'The component you will train in for two semesters.',
}

// The grid has six columns. On a phone a field takes all of them, a short one half.
const span = {
  short: 'col-span-3 sm:col-span-2',
  third: 'col-span-6 sm:col-span-2',
  half: 'col-span-6 sm:col-span-3',
  wide: 'col-span-6 sm:col-span-4',
  all: 'col-span-6',
}

interface TextControl
  extends Pick<
    ComponentProps<'input'>,
    'type' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck' | 'placeholder' | 'className'
  > {
  hint?: string
}

// `autoComplete: 'off'` where the browser would fill in the student's own data in place of another person's.
const other: TextControl = { autoComplete: 'off', className: span.half }
const words: TextControl = { ...other, autoCapitalize: 'words' }
const name: TextControl = { ...words, spellCheck: false }
const phone: TextControl = { ...other, type: 'tel', inputMode: 'tel' }
const code: TextControl = { ...other, autoCapitalize: 'characters', spellCheck: false }
const year: TextControl = { ...other, inputMode: 'numeric', placeholder: 'YYYY', className: span.third }
const school: TextControl = { ...words, className: span.wide }

const textControls: Partial<Record<StudentField, TextControl>> = {
  lastName: { ...name, autoComplete: 'family-name' },
  firstName: { ...name, autoComplete: 'given-name' },
  middleName: { ...name, autoComplete: 'additional-name' },
  address: {
    ...words,
    autoComplete: 'address-line1',
    hint: 'House number, street, barangay',
    className: span.all,
  },
  barangay: words,
  province: { ...words, autoComplete: 'address-level1', className: span.third },
  zipCode: { ...other, autoComplete: 'postal-code', inputMode: 'numeric' },
  socialSecurityNumber: { ...code, inputMode: 'numeric', hint: 'SSS number, if you have one' },
  placeOfBirth: { ...words, hint: 'Municipality or city, province', className: span.all },
  contactNumber: { ...phone, autoComplete: 'tel', hint: 'For example 0917 123 4567' },
  email: {
    ...other,
    type: 'email',
    inputMode: 'email',
    autoComplete: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
    hint: 'We’ll send your confirmation here',
  },
  citizenship: words,
  religion: words,
  height: { ...other, hint: '5\'6" or 168 cm', className: span.short },
  weight: { ...other, hint: '130 lbs or 59 kg', className: span.short },
  studentId: code,
  serialNumber: { ...code, hint: 'Assigned after graduation; leave blank', className: span.third },
  fatherName: name,
  fatherOccupation: other,
  motherName: name,
  motherOccupation: other,
  guardianName: name,
  guardianRelationship: { ...other, hint: 'For example mother or aunt' },
  guardianAddress: school,
  guardianContactNumber: { ...phone, className: span.third },
  elementarySchool: school,
  elementaryYearGraduated: year,
  highSchool: school,
  highSchoolYearGraduated: year,
  college: { ...school, hint: 'A college you attended before this one, if any' },
  collegeYearGraduated: year,
  emergencyContactName: name,
  emergencyContactNumber: phone,
  emergencyContactAddress: { ...words, className: span.all },
}

const narrow = 'col-span-6 min-[22.5rem]:col-span-3 sm:col-span-2'

const selects: Partial<
  Record<
    StudentField,
    { options: (offer: RegistrationOffer) => readonly string[]; className: string; none?: string }
  >
> = {
  extensionName: { options: () => nameExtensions, className: span.half, none: 'None' },
  civilStatus: { options: () => civilStatuses, className: span.half },
  bloodType: { options: () => bloodTypes, className: span.third },
  course: { options: ({ courses }) => courses, className: span.half },
  yearLevel: { options: () => yearLevelLabels, className: narrow },
  academicYear: { options: ({ academicYears }) => academicYears, className: narrow },
}

const textAreas: Partial<Record<StudentField, { hint: string; className: string }>> = {
  workExperience: { hint: 'Employer, work and years', className: span.all },
  skills: { hint: 'For example first aid, driving', className: span.half },
  hobbies: { hint: 'What you like to do', className: span.half },
}

const ownControls: Partial<Record<StudentField, ComponentType<OwnControlProps>>> = {
  dateOfBirth: BirthDateField,
  municipalCity: ({ value, offer: _offer, ...field }) => (
    <MunicipalityField {...field} defaultValue={value} />
  ),
  sex: SexField,
  program: ProgramField,
  nstpComponent: ComponentField,
}

function StudentControl({ name, offer }: { name: StudentField; offer: RegistrationOffer }) {
  const { values, errors, mailDomain, isMinor = false } = useContext(fieldContext)
  const { label } = fieldDefinition(name)
  const required = isRequired(name, isMinor)
  const common = { name, label, required, error: errors.get(name) }
  const value = name === 'dateOfBirth' ? '' : (values[name] ?? '')
  const Own = ownControls[name]
  if (Own) return <Own {...common} value={value} offer={offer} />
  const select = selects[name]
  if (select) {
    const { none = 'Not known' } = select
    return (
      <SelectField
        {...common}
        defaultValue={value}
        options={select.options(offer)}
        placeholder={required ? 'Choose…' : none}
        autoComplete="off"
        className={select.className}
      />
    )
  }
  const area = textAreas[name]
  if (area) return <TextAreaField {...common} {...area} defaultValue={value} />
  const { hint, ...control } = textControls[name] ?? other
  const shortcut = shortcuts[name]
  return (
    <TextField
      {...control}
      {...common}
      hint={
        name === 'email' && mailDomain ? (
          <MailQuestion domain={mailDomain} />
        ) : shortcut ? (
          <ShortcutButton {...shortcut} />
        ) : (
          hint
        )
      }
      defaultValue={value}
      enterKeyHint="next"
    />
  )
}

// The bar above the step has their title.
const namedByStep: readonly string[] = ['name', 'personal', 'education', 'emergency', 'coverage']

interface FormSectionCardProps {
  id: string
  title: string
  number?: number
  isRequired: boolean
  lead?: ReactNode
  steps: string
  children: ReactNode
}

function FormSectionCard({ id, title, number, isRequired, lead, steps, children }: FormSectionCardProps) {
  const t = useTranslation()
  return (
    <section
      id={`section-${id}`}
      data-steps={steps}
      aria-labelledby={`section-${id}-title`}
      className="scroll-mt-20 flex flex-col gap-5 rounded-box border bg-card p-4 shadow-card stepped:gap-3 stepped:p-3 sm:p-6 lg:scroll-mt-6"
    >
      <div data-steps={namedByStep.includes(id) ? 'more' : steps}>
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 id={`section-${id}-title`} className="text-lg font-bold tracking-tight sm:text-xl">
            {number !== undefined && (
              <span className="text-muted tabular-nums stepped:hidden">{number}. </span>
            )}
            {t(title)}
          </h2>
          {!isRequired && <span className="text-sm font-semibold text-muted">{t('Optional')}</span>}
        </div>
        {lead && <div className="mt-1 text-sm text-muted">{t(lead)}</div>}
      </div>
      <div>{children}</div>
    </section>
  )
}

interface ChoiceProps {
  name: string
  label: string
  required: boolean
  error: string | undefined
}

interface OwnControlProps extends ChoiceProps {
  value: string
  offer: RegistrationOffer
}

function SexField({ value, ...group }: OwnControlProps) {
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

/** Those of the chosen course; without scripts all. */
function ProgramField({ value, offer: { programs = [] }, ...field }: OwnControlProps) {
  const place = useRef<HTMLDivElement>(null)
  const course = useAnswers(place, true)?.course
  const ofCourse = programs.filter((each) => each.course === course).map(({ name }) => name)
  // Of another course than the one chosen now.
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

function ComponentField({ value, offer: { full = [] }, ...group }: OwnControlProps) {
  const t = useTranslation()
  const { values } = useContext(fieldContext)
  const place = useRef<HTMLDivElement>(null)
  // Without scripts nothing is disabled: the answer says it.
  const chosen = useAnswers(place, full.length > 0)
  const year = chosen?.academicYear ?? values.academicYear
  const isFull = (name: string) => full.some((each) => each.component === name && each.academicYear === year)
  return (
    <ChoiceGroup {...group} role="radiogroup" className={span.all}>
      <div ref={place} className="grid grid-cols-1 gap-3 wrap-anywhere sm:grid-cols-2">
        {components.map(({ name, text, graduates, checked, word }, index) => (
          <label
            key={name}
            className={clsx(
              'flex items-start gap-3 rounded-box border border-edge bg-card p-4 stepped:px-3 stepped:py-2',
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

const monthOptions = monthNames.map((label, index) => ({ value: String(index + 1), label }))
const numberParts = [
  { part: 'Day', example: '14', autoComplete: 'bday-day' },
  { part: 'Year', example: '2008', autoComplete: 'bday-year' },
] as const

/**
 * Three controls: the browser's date picker opens at today, 200 taps from a birthday on many phones, and orders day and
 * month by the phone's language. The parts give number keys and autofill, and a month by name leaves no doubt.
 */
function BirthDateField(group: ChoiceProps) {
  const { values, isMinor } = useContext(fieldContext)
  const state = { 'aria-invalid': group.error !== undefined, 'aria-required': group.required }
  return (
    <ChoiceGroup {...group} className="col-span-6 max-w-lg">
      <div className="grid grid-cols-2 gap-2 min-[22.5rem]:grid-cols-[minmax(0,1fr)_3.25rem_5rem] sm:gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.25fr)]">
        <SelectField
          {...state}
          id="dateOfBirth"
          name="birthMonth"
          label="Month"
          options={monthOptions}
          placeholder="Choose…"
          defaultValue={values.birthMonth ?? ''}
          autoComplete="bday-month"
          className="col-span-2 min-[22.5rem]:col-span-1"
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
      <p role="status" className={clsx('text-sm', isMinor && 'mt-1.5')}>
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
      <legend className="mb-1.5 text-sm font-semibold">
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

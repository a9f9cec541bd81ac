import { clsx } from 'clsx'
import { type ReactNode, useContext } from 'react'
import { consentNotice, consentStatement } from '#shared/registration/consent.ts'
import type { RegistrationOffer } from '#shared/registration/registration.ts'
import {
  bloodTypes,
  civilStatuses,
  componentNames,
  sexes,
  yearLevelLabels,
} from '#shared/students/student-choices.ts'
import type { FieldSection } from '#shared/students/student-fields.ts'
import { FieldErrorText, RequiredMark, SelectField, TextField } from '#web/components/field.tsx'
import { fieldContext, monthNames, useStudentField } from './form-values.ts'
import { formSections } from './section-progress.tsx'
import { EmailField, MunicipalityField, StudentTextArea, StudentTextField } from './student-text-field.tsx'

type Offer = Pick<RegistrationOffer, 'courses' | 'academicYears'>

export function FormSectionsList({ offer }: { offer: Offer }) {
  return (
    <>
      {formSections.map(({ id, title, isRequired }, index) => (
        <FormSectionCard
          key={id}
          id={id}
          title={title}
          number={index + 1}
          isRequired={isRequired}
          lead={leads[id]}
        >
          <div className="grid grid-cols-6 gap-x-4 gap-y-5">{fieldsOf(id, offer)}</div>
        </FormSectionCard>
      ))}
      <FormSectionCard id="consent" title="Your consent" isRequired>
        <ConsentField />
      </FormSectionCard>
    </>
  )
}

const leads: Partial<Record<FieldSection, ReactNode>> = {
  family: (
    <>
      Nothing in sections 4 to 7 is required.{' '}
      <a
        href="#section-emergency"
        className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4 sm:min-h-0"
      >
        Skip to section 8
      </a>
    </>
  ),
  emergency: 'Who should we contact in an emergency?',
  coverage: 'The component you will train in for two semesters.',
}

function fieldsOf(section: FieldSection, offer: Offer): ReactNode {
  switch (section) {
    case 'name':
      return (
        <>
          <StudentTextField name="lastName" />
          <StudentTextField name="firstName" />
          <StudentTextField name="middleName" />
        </>
      )
    case 'personal':
      return <PersonalFields />
    case 'education':
      return (
        <>
          <StudentTextField name="studentId" />
          <StudentSelectField name="course" options={offer.courses} className="col-span-6 sm:col-span-3" />
          <StudentSelectField
            name="yearLevel"
            options={yearLevelLabels}
            className="col-span-6 min-[24rem]:col-span-3 sm:col-span-2"
          />
          <StudentSelectField
            name="academicYear"
            options={offer.academicYears}
            className="col-span-6 min-[24rem]:col-span-3 sm:col-span-2"
          />
          <StudentTextField name="serialNumber" />
        </>
      )
    case 'family':
      return (
        <>
          <StudentTextField name="fatherName" />
          <StudentTextField name="fatherOccupation" />
          <StudentTextField name="motherName" />
          <StudentTextField name="motherOccupation" />
          <StudentTextField name="guardianName" />
          <StudentTextField name="guardianRelationship" />
          <StudentTextField name="guardianAddress" />
          <StudentTextField name="guardianContactNumber" />
        </>
      )
    case 'background':
      return (
        <>
          <StudentTextField name="elementarySchool" />
          <StudentTextField name="elementaryYearGraduated" />
          <StudentTextField name="highSchool" />
          <StudentTextField name="highSchoolYearGraduated" />
          <StudentTextField name="college" />
          <StudentTextField name="collegeYearGraduated" />
        </>
      )
    case 'work':
      return <StudentTextArea name="workExperience" hint="Employer, work and years" className="col-span-6" />
    case 'skills':
      return (
        <>
          <StudentTextArea
            name="skills"
            hint="For example first aid, driving"
            className="col-span-6 sm:col-span-3"
          />
          <StudentTextArea name="hobbies" hint="What you like to do" className="col-span-6 sm:col-span-3" />
        </>
      )
    case 'emergency':
      return (
        <>
          <StudentTextField name="emergencyContactName" />
          <StudentTextField name="emergencyContactNumber" />
          <StudentTextField name="emergencyContactAddress" />
        </>
      )
    case 'coverage':
      return (
        <div className="col-span-6">
          <ComponentField />
        </div>
      )
  }
}

function PersonalFields() {
  return (
    <>
      <StudentTextField name="address" />
      <MunicipalityField className="col-span-6" />
      <StudentTextField name="zipCode" />
      <StudentTextField name="socialSecurityNumber" />
      <BirthDateField className="col-span-6 max-w-lg" />
      <StudentTextField name="placeOfBirth" />
      <SexField className="col-span-6 sm:col-span-3" />
      <StudentSelectField name="civilStatus" options={civilStatuses} className="col-span-6 sm:col-span-3" />
      <StudentTextField name="contactNumber" />
      <EmailField />
      <StudentTextField name="citizenship" />
      <StudentTextField name="religion" />
      <StudentTextField name="height" />
      <StudentTextField name="weight" />
      <StudentSelectField name="bloodType" options={bloodTypes} className="col-span-6 sm:col-span-2" />
    </>
  )
}

interface StudentSelectFieldProps {
  name: 'civilStatus' | 'bloodType' | 'course' | 'yearLevel' | 'academicYear'
  options: readonly string[]
  autoComplete?: string
  className: string
}

function StudentSelectField({ name, options, autoComplete = 'off', className }: StudentSelectFieldProps) {
  const { values, label, required, error } = useStudentField(name)
  return (
    <SelectField
      name={name}
      label={label}
      required={required}
      error={error}
      defaultValue={values[name] ?? ''}
      options={options}
      placeholder={required ? 'Choose…' : 'Not known'}
      autoComplete={autoComplete}
      className={className}
    />
  )
}

interface FormSectionCardProps {
  id: string
  title: string
  number?: number
  isRequired: boolean
  lead?: ReactNode
  children: ReactNode
}

function FormSectionCard({ id, title, number, isRequired, lead, children }: FormSectionCardProps) {
  return (
    <section
      id={`section-${id}`}
      aria-labelledby={`section-${id}-title`}
      className="scroll-mt-20 rounded-box border bg-card p-4 shadow-card sm:p-6 lg:scroll-mt-6"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={`section-${id}-title`} className="text-lg font-bold tracking-tight sm:text-xl">
          {number !== undefined && <span className="text-muted tabular-nums">{number}. </span>}
          {title}
        </h2>
        {!isRequired && <span className="text-sm font-semibold text-muted">Optional</span>}
      </div>
      {lead && <div className="mt-1 text-sm text-muted">{lead}</div>}
      <div className="mt-5">{children}</div>
    </section>
  )
}

function SexField({ className }: { className: string }) {
  const { values, label, required, error } = useStudentField('sex')
  return (
    <ChoiceGroup
      name="sex"
      label={label}
      required={required}
      error={error}
      role="radiogroup"
      className={className}
    >
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
              defaultChecked={values.sex === sex}
              autoComplete="sex"
              className="size-5 accent-primary"
            />
            {sex}
          </label>
        ))}
      </div>
    </ChoiceGroup>
  )
}

const components = [
  {
    name: 'CWTS',
    text: 'Service to the community: health, education, environment, safety. Graduates join the National Service Reserve Corps.',
    checked: 'has-checked:border-blue has-checked:bg-blue-soft',
    word: 'text-blue',
  },
  {
    name: 'ROTC',
    text: 'Military training and leadership for national defense. Graduates join the Citizen Armed Force.',
    checked: 'has-checked:border-olive has-checked:bg-olive-soft',
    word: 'text-olive',
  },
] as const

function ComponentField() {
  const { values, label, required, error } = useStudentField('nstpComponent')
  return (
    <ChoiceGroup name="nstpComponent" label={label} required={required} error={error} role="radiogroup">
      <div className="grid grid-cols-1 gap-3 wrap-anywhere sm:grid-cols-2">
        {components.map(({ name, text, checked, word }, index) => (
          <label
            key={name}
            className={clsx('flex items-start gap-3 rounded-box border border-edge bg-card p-4', checked)}
          >
            <input
              type="radio"
              id={index === 0 ? 'nstpComponent' : `nstpComponent-${name}`}
              name="nstpComponent"
              value={name}
              defaultChecked={values.nstpComponent === name}
              aria-describedby={`nstpComponent-${name}-text`}
              className="mt-1 size-5 shrink-0 accent-primary"
            />
            <span className="min-w-0">
              <span className={clsx('block text-lg font-bold', word)}>{name}</span>
              <span className="block font-semibold">{componentNames[name]}</span>
              <span id={`nstpComponent-${name}-text`} className="mt-1 block text-sm text-muted">
                {text}
              </span>
            </span>
          </label>
        ))}
      </div>
    </ChoiceGroup>
  )
}

const monthOptions = monthNames.map((label, index) => ({ value: String(index + 1), label }))

/**
 * Three controls: the browser's date picker opens at today, 200 taps from a birthday on many
 * phones, and orders day and month by the phone's language. The parts give number keys and
 * autofill, and a month by name leaves no doubt.
 */
function BirthDateField({ className }: { className: string }) {
  const { values, label, required, error } = useStudentField('dateOfBirth')
  const part = { 'aria-invalid': error !== undefined, 'aria-required': required }
  return (
    <ChoiceGroup name="dateOfBirth" label={label} required={required} error={error} className={className}>
      <div className="grid grid-cols-2 gap-3 min-[24rem]:grid-cols-[minmax(0,1fr)_3.5rem_5.5rem] sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1.25fr)]">
        <SelectField
          {...part}
          id="dateOfBirth"
          name="birthMonth"
          label="Month"
          options={monthOptions}
          placeholder="Choose…"
          defaultValue={values.birthMonth ?? ''}
          autoComplete="bday-month"
          className="col-span-2 min-[24rem]:col-span-1"
        />
        <TextField
          {...part}
          name="birthDay"
          label="Day"
          inputMode="numeric"
          placeholder="14"
          defaultValue={values.birthDay ?? ''}
          autoComplete="bday-day"
          enterKeyHint="next"
        />
        <TextField
          {...part}
          name="birthYear"
          label="Year"
          inputMode="numeric"
          placeholder="2008"
          defaultValue={values.birthYear ?? ''}
          autoComplete="bday-year"
          enterKeyHint="next"
        />
      </div>
    </ChoiceGroup>
  )
}

interface ChoiceGroupProps {
  /** Also the id of the first control, so that links and focus lead there. */
  name: string
  label: string
  hint?: string
  required: boolean
  error: string | undefined
  role?: 'radiogroup'
  className?: string
  children: ReactNode
}

function ChoiceGroup({ name, label, hint, required, error, role, className, children }: ChoiceGroupProps) {
  const errorId = `${name}-error`
  const hintId = `${name}-hint`
  const describedBy = clsx(error && errorId, hint && hintId)
  // A plain group has no such states: there its controls carry them.
  const radioGroup = role && { role, 'aria-invalid': error !== undefined, 'aria-required': required }
  return (
    <fieldset
      {...radioGroup}
      aria-describedby={describedBy || undefined}
      className={clsx('min-w-0', className)}
    >
      <legend className="mb-1.5 text-sm font-semibold">
        {label}
        {required && <RequiredMark />}
      </legend>
      {children}
      {(error !== undefined || hint) && (
        <div className="mt-1.5 flex flex-col gap-1.5">
          {error !== undefined && <FieldErrorText id={errorId}>{error}</FieldErrorText>}
          {hint && (
            <p id={hintId} className="text-sm text-muted">
              {hint}
            </p>
          )}
        </div>
      )}
    </fieldset>
  )
}

/** The privacy notice in short and the required tick (RA 10173). */
function ConsentField() {
  const { values, errors } = useContext(fieldContext)
  const error = errors.get('consent')
  return (
    <>
      <div className="flex flex-col gap-3 text-sm text-muted">
        {consentNotice.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          {/* A tab of its own: reading it must not cost what was typed. */}
          <a
            href="/privacy"
            target="_blank"
            rel="noopener"
            className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
          >
            Read the whole privacy notice
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </p>
      </div>
      <label
        className={clsx(
          'mt-2 flex items-start gap-3 rounded-box border p-4 has-checked:border-primary has-checked:bg-primary-soft',
          error === undefined ? 'border-edge' : 'border-danger',
        )}
      >
        <input
          type="checkbox"
          id="consent"
          name="consent"
          value="true"
          defaultChecked={values.consent === 'true'}
          aria-required="true"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : 'consent-error'}
          className="mt-0.5 size-5 shrink-0 accent-primary"
        />
        <span className="min-w-0 wrap-anywhere">
          {consentStatement}
          <RequiredMark />
        </span>
      </label>
      {error !== undefined && (
        <div className="mt-1.5">
          <FieldErrorText id="consent-error">{error}</FieldErrorText>
        </div>
      )}
    </>
  )
}

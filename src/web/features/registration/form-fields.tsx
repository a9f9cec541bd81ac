import { type ComponentProps, type ComponentType, type ReactNode, useContext } from 'react'
import { unnamedOffice } from '#shared/registration/consent.ts'
import type { RegistrationOffer } from '#shared/registration/registration.ts'
import {
  bloodTypes,
  civilStatuses,
  nameExtensions,
  yearLevelLabels,
} from '#shared/students/student-choices.ts'
import {
  type FieldSection,
  fieldDefinition,
  isRequired,
  type StudentField,
} from '#shared/students/student-fields.ts'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { Phrase, useTranslation } from '#web/lib/translation.tsx'
import {
  answerLinkClass,
  ConsentFields,
  MailQuestion,
  MunicipalityField,
  ShortcutButton,
  shortcuts,
} from './assisted-fields.tsx'
import {
  BirthDateField,
  ComponentField,
  type OwnControlProps,
  ProgramField,
  SexField,
  span,
} from './choice-fields.tsx'
import { formSections, requiredOf, stepOf, stepsOf } from './form-progress.tsx'
import { fieldContext } from './form-values.ts'

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
        <div className="grid grid-cols-6 gap-x-4 gap-y-5 stepped:gap-x-3 stepped:gap-y-1.5">
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

export function ConsentCard({
  asksCode = false,
  isOfficeNamed = true,
}: Pick<RegistrationOffer, 'asksCode' | 'isOfficeNamed'>) {
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
      {!isOfficeNamed && (
        <p className="mb-3 text-sm font-semibold stepped:mb-1 stepped:text-xs">
          <Phrase text={unnamedOffice} />
        </p>
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
  contactNumber: {
    ...phone,
    autoComplete: 'tel',
    hint: 'For example 0917 123 4567',
    className: span.pair,
  },
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
  guardianRelationship: { ...other, hint: 'For example mother or aunt', className: span.pair },
  guardianAddress: school,
  guardianContactNumber: {
    ...phone,
    className: span.short,
  },
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

const narrow = 'col-span-6 @min-[18.75rem]:col-span-3 @min-[36rem]:col-span-2'

const selects: Partial<
  Record<
    StudentField,
    { options: (offer: RegistrationOffer) => readonly string[]; className: string; none?: string }
  >
> = {
  extensionName: { options: () => nameExtensions, className: span.half, none: 'None' },
  civilStatus: { options: () => civilStatuses, className: span.pair },
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
const namedByStep: readonly string[] = ['name', 'personal', 'education', 'emergency', 'coverage', 'consent']

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
        {lead && <div className="mt-1 text-sm text-muted stepped:text-xs">{t(lead)}</div>}
      </div>
      <div className="@container">{children}</div>
    </section>
  )
}

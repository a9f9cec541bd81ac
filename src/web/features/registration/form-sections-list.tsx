import type { ReactNode } from 'react'
import type { RegistrationOffer } from '#shared/registration.ts'
import { bloodTypes, civilStatuses, yearLevelLabels } from '#shared/student-choices.ts'
import type { FieldSection } from '#shared/student-fields.ts'
import { BirthDateField } from './birth-date-field.tsx'
import { ComponentField } from './component-field.tsx'
import { ConsentField } from './consent-field.tsx'
import { FormSectionCard } from './form-section-card.tsx'
import { formSections } from './form-sections.ts'
import { MunicipalityField } from './municipality-field.tsx'
import { SexField } from './sex-field.tsx'
import { StudentSelectField } from './student-select-field.tsx'
import { EmailField, StudentTextArea, StudentTextField } from './student-text-field.tsx'

type Offer = Pick<RegistrationOffer, 'courses' | 'academicYears'>

/** Every section of the form with its fields, and the consent at the end. */
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
      Nothing in sections 4 to 7 is required. If you are in a hurry,{' '}
      <a
        href="#section-emergency"
        className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4 sm:min-h-0"
      >
        go on with section 8
      </a>
      .
    </>
  ),
  emergency: 'Whom we call if something happens to you in training.',
  coverage: 'The component you will train in for two semesters.',
}

/** The fields of a section, in form order. */
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

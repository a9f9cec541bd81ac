import {
  type FieldSection,
  fieldDefinition,
  type StudentField,
  studentFieldNames,
} from '#shared/student-fields.ts'

export interface FormSection {
  id: FieldSection
  title: string
  /** For the narrow list of sections. */
  shortTitle: string
  fields: readonly StudentField[]
  /** Holds at least one required field. */
  isRequired: boolean
}

const titles: Record<FieldSection, [title: string, shortTitle: string]> = {
  name: ['Student name', 'Name'],
  personal: ['Address and personal data', 'Personal data'],
  education: ['Educational information', 'Education'],
  family: ['Parent / guardian', 'Parent / guardian'],
  background: ['Educational background', 'Schools attended'],
  work: ['Work experience', 'Work experience'],
  skills: ['Skills and hobbies', 'Skills and hobbies'],
  emergency: ['Emergency contact', 'Emergency contact'],
  coverage: ['Coverage', 'Coverage'],
}

/** The sections of the enlistment form with their fields, in form order (spec §2). */
export const formSections: readonly FormSection[] = sectionIds().map((id) => {
  const [title, shortTitle] = titles[id]
  const fields = studentFieldNames.filter((field) => fieldDefinition(field).section === id)
  return {
    id,
    title,
    shortTitle,
    fields,
    isRequired: fields.some((field) => fieldDefinition(field).required),
  }
})

function sectionIds(): FieldSection[] {
  return [...new Set(studentFieldNames.map((field) => fieldDefinition(field).section))]
}

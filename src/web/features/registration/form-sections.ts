import {
  type FieldSection,
  fieldDefinition,
  type StudentField,
  sectionTitles,
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

const shortTitles: Partial<Record<FieldSection, string>> = {
  name: 'Name',
  education: 'Education',
  background: 'Schools attended',
}

/** The sections of the enlistment form with their fields, in form order (spec §2). */
export const formSections: readonly FormSection[] = sectionIds().map((id) => {
  const title = sectionTitles[id]
  const fields = studentFieldNames.filter((field) => fieldDefinition(field).section === id)
  return {
    id,
    title,
    shortTitle: shortTitles[id] ?? title,
    fields,
    isRequired: fields.some((field) => fieldDefinition(field).required),
  }
})

function sectionIds(): FieldSection[] {
  return [...new Set(studentFieldNames.map((field) => fieldDefinition(field).section))]
}

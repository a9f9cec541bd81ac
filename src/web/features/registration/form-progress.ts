import { type FieldSection, fieldDefinition, type StudentField } from '#shared/student-fields.ts'
import { birthDateNames } from './birth-date.ts'
import { formSections } from './form-sections.ts'
import type { FormValues } from './form-values.ts'

export interface Progress {
  /** Required answers given, and how many there are; consent is one of them. */
  answered: number
  total: number
  /** Sections whose required answers are all there. */
  complete: ReadonlySet<FieldSection | 'consent'>
}

const requiredBySection = formSections.map(
  ({ id, fields }) => [id, fields.filter((field) => fieldDefinition(field).required)] as const,
)
const total = requiredBySection.reduce((sum, [, fields]) => sum + fields.length, 1)

export const noProgress: Progress = { answered: 0, total, complete: new Set() }

/** How far the form is filled in. It counts answers, it doesn't judge them. */
export function progressOf(values: FormValues): Progress {
  const complete = new Set<FieldSection | 'consent'>()
  let answered = 0
  if (values.consent === 'true') {
    complete.add('consent')
    answered += 1
  }
  for (const [section, required] of requiredBySection) {
    const given = required.filter((field) => isAnswered(field, values)).length
    answered += given
    if (required.length > 0 && given === required.length) complete.add(section)
  }
  return { answered, total, complete }
}

function isAnswered(field: StudentField, values: FormValues): boolean {
  if (field === 'dateOfBirth') return birthDateNames.every((name) => values[name].trim() !== '')
  return values[field].trim() !== ''
}

import {
  bloodTypes,
  civilStatuses,
  registrationComponents,
  sexes,
  yearLevelLabels,
} from '#shared/student-choices.ts'
import {
  fieldAliases,
  fieldDefinition,
  type StudentField,
  studentFieldNames,
} from '#shared/student-fields.ts'

const choices: Partial<Record<StudentField, readonly string[]>> = {
  sex: sexes,
  civilStatus: civilStatuses,
  bloodType: ['', ...bloodTypes],
  yearLevel: yearLevelLabels,
  nstpComponent: registrationComponents,
}

const formats: Partial<Record<StudentField, string>> = { dateOfBirth: 'date', email: 'email' }

/** The enlistment form for readers of the API's description: the rules live in functions, which it can't show. */
export function describeRegistrationBody() {
  const aliases = Object.entries(fieldAliases)
  const required: string[] = studentFieldNames.filter((field) => fieldDefinition(field).required)
  const fields = studentFieldNames.map((field) => [field, describeField(field)])
  return {
    type: 'object' as const,
    required: [...required, 'consent'],
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields),
      ...Object.fromEntries(aliases.map(([alias, field]) => [alias, describeAlias(field)])),
      consent: { type: 'boolean' as const, const: true, description: 'Agreement to the privacy notice.' },
    },
  }
}

function describeAlias(field: StudentField) {
  return { ...describeField(field), description: `Read as ${field}, which may then be absent.` }
}

function describeField(field: StudentField) {
  const { label, max, required } = fieldDefinition(field)
  const oneOf = choices[field]
  const format = formats[field]
  return {
    type: 'string' as const,
    description: label,
    ...(oneOf ? { enum: [...oneOf] } : { maxLength: max }),
    ...(format ? { format } : {}),
    ...(required ? {} : { default: '' }),
  }
}

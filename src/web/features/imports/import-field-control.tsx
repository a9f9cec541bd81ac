import {
  type ImportDetails,
  type ImportField,
  importFieldLabel,
  isStudentField,
} from '#shared/imports/imports.ts'
import {
  bloodTypes,
  civilStatuses,
  nstpComponents,
  sexes,
  storedYearLevelLabels,
} from '#shared/students/student-choices.ts'
import { fieldDefinition } from '#shared/students/student-fields.ts'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'

interface ImportFieldControlProps {
  field: ImportField
  id: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  choices: ImportDetails['choices']
}

export function ImportFieldControl({ field, id, value, onChange, error, choices }: ImportFieldControlProps) {
  const common = {
    id,
    name: field,
    label: importFieldLabel(field),
    error,
    value,
    density: 'compact' as const,
    autoComplete: 'off',
    className: 'max-md:[&_.control]:min-h-11',
  }
  const offered = choicesOf(field, choices)
  if (offered) {
    const options = value === '' || offered.includes(value) ? offered : [value, ...offered]
    return (
      <SelectField
        {...common}
        options={options}
        placeholder="Choose…"
        onChange={({ target }) => onChange(target.value)}
      />
    )
  }
  if (isStudentField(field) && fieldDefinition(field).multiline) {
    return <TextAreaField {...common} onChange={({ target }) => onChange(target.value)} />
  }
  const isDate = field === 'dateOfBirth' || field === 'registrationDate' || field === 'archivedDate'
  const hint = isDate ? 'As YYYY-MM-DD' : undefined
  return <TextField {...common} hint={hint} onChange={({ target }) => onChange(target.value)} />
}

function choicesOf(
  field: ImportField,
  { courses, academicYears }: ImportDetails['choices'],
): readonly string[] | undefined {
  switch (field) {
    case 'sex':
      return sexes
    case 'civilStatus':
      return civilStatuses
    case 'bloodType':
      return bloodTypes
    case 'yearLevel':
      return storedYearLevelLabels
    case 'nstpComponent':
      return nstpComponents
    case 'course':
      return courses
    case 'academicYear':
      return academicYears
    case 'archived':
      return ['Yes', 'No']
    default:
      return undefined
  }
}

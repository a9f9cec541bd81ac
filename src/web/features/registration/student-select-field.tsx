import { SelectField } from '#web/components/select-field.tsx'
import { useStudentField } from './field-context.ts'

interface StudentSelectFieldProps {
  name: 'civilStatus' | 'bloodType' | 'course' | 'yearLevel' | 'academicYear'
  options: readonly string[]
  autoComplete?: string
  className: string
}

/** A choice from a list: the phone's own picker. */
export function StudentSelectField({
  name,
  options,
  autoComplete = 'off',
  className,
}: StudentSelectFieldProps) {
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

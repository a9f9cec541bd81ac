import { Download } from 'lucide-react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import type { ImportDetails } from '#shared/imports/import-response.ts'
import { type ImportField, importFieldLabel, isStudentField } from '#shared/imports/imports.ts'
import { fieldChoices } from '#shared/students/student-choices.ts'
import { fieldDefinition } from '#shared/students/student-fields.ts'
import { Button } from '#web/components/button.tsx'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { api } from '#web/lib/api.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import type { ImportAction } from './imports-data.ts'

interface ImportFieldControlProps {
  field: ImportField
  id: string
  control: UseFormRegisterReturn
  value: string
  error?: string | undefined
  choices: ImportDetails['choices']
}

export function ImportFieldControl({ field, id, control, value, error, choices }: ImportFieldControlProps) {
  const common = {
    ...control,
    id,
    label: importFieldLabel(field),
    error,
    density: 'compact' as const,
    autoComplete: 'off',
    className: 'max-md:[&_.control]:min-h-11',
  }
  const choicesOf: Partial<Record<ImportField, readonly string[]>> = {
    ...fieldChoices,
    course: choices.courses,
    academicYear: choices.academicYears,
    archived: ['Yes', 'No'],
  }
  const offered = choicesOf[field]
  if (offered) {
    const options = value === '' || offered.includes(value) ? offered : [value, ...offered]
    return <SelectField {...common} options={options} placeholder="Choose…" />
  }
  if (isStudentField(field) && fieldDefinition(field).multiline) return <TextAreaField {...common} />
  const isDate = field === 'dateOfBirth' || field === 'registrationDate' || field === 'archivedDate'
  return <TextField {...common} hint={isDate ? 'As YYYY-MM-DD' : undefined} />
}

export function RefusedButton({ id, action }: { id: string; action: ImportAction }) {
  const download = {
    failed: 'Failed to download the rows that were not imported',
    async send() {
      const response = await api.imports[':id']['refused.xlsx'].$get({ param: { id } })
      await saveDownload(response, 'not imported.xlsx')
    },
  }
  return (
    <Button
      variant="outline"
      size="sm"
      icon={Download}
      disabled={action.isPending}
      onClick={() => action.run(download)}
    >
      Download rows not imported
    </Button>
  )
}

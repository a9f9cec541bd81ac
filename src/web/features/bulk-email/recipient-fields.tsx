import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import type { BulkStart } from './bulk-data.ts'
import { fieldIds } from './field-ids.ts'
import { FileRecipients } from './file-recipients.tsx'
import { ListRecipients } from './list-recipients.tsx'
import { StudentRecipients } from './student-recipients.tsx'
import type { AudienceReading } from './use-audience.ts'
import type { BulkFormState } from './use-bulk-form.ts'

interface RecipientFieldsProps {
  form: BulkFormState
  start: BulkStart
  audience: AudienceReading
}

const ways = [
  { value: 'students', label: 'Students' },
  { value: 'list', label: 'List' },
  { value: 'file', label: 'Spreadsheet' },
] as const

/** Who gets the mail. What was given in one way stays while another is chosen. */
export function RecipientFields({ form, start, audience }: RecipientFieldsProps) {
  const { values, change, errorOf } = form
  const error = errorOf('recipients')
  return (
    <>
      <ChoiceButtons
        id={fieldIds.way}
        legend="Chosen by"
        choices={ways}
        selected={values.way}
        error={values.way === null ? error : undefined}
        onSelect={(way) => change({ way })}
      />
      {values.way === 'students' && (
        <StudentRecipients form={form} start={start} audience={audience} error={error} />
      )}
      {values.way === 'list' && (
        <ListRecipients value={values.list} error={error} onChange={(list) => change({ list })} />
      )}
      {values.way === 'file' && (
        <FileRecipients file={values.file} error={error} onChange={(file) => change({ file })} />
      )}
    </>
  )
}

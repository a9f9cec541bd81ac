import { Send } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useId } from 'react'
import type { AudiencePreview, MailQueueStatus } from '#shared/mail/mail-response.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters } from '#shared/students/students.ts'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextAreaField } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { countOf } from '#web/lib/number-texts.ts'
import {
  type AudienceState,
  addresseesOf,
  FileRecipients,
  ListResult,
  missingAddressees,
  RecipientCount,
  useAudience,
  whomText,
} from './audience.tsx'
import { ConfirmModal } from './batch-actions.tsx'
import { leftOutTexts } from './batch-texts.ts'
import { type BulkStart, fieldIds, readList } from './bulk-data.ts'
import { MessagePreview } from './bulk-preview.tsx'
import { MessageFields } from './message-fields.tsx'
import { type BulkFormState, useBulkForm } from './use-bulk-form.ts'

interface BulkFormProps {
  start: BulkStart
  queue: MailQueueStatus | null
  disabled: boolean
}

const sendHintId = 'bulk-send-hint'

export function BulkForm({ start, queue, disabled }: BulkFormProps) {
  const form = useBulkForm()
  const { values, noteRecipients } = form
  const audience = useAudience(values, values.way === 'students')
  // A list can have thousands of lines: parsing must not slow down typing.
  const read = { ...values, list: useDeferredValue(values.list) }
  const { count, sample } = addresseesOf(read, audience)
  const missing = missingAddressees(read, audience)
  const isCounting = values.way === 'students' && count === null && audience.failure === null
  const isSending = form.phase === 'sending' && !form.isAsking
  useEffect(() => noteRecipients({ missing, isCounting }), [noteRecipients, missing, isCounting])
  return (
    <>
      <Form form={form} label="Bulk e-mail">
        <fieldset
          disabled={disabled}
          className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
        >
          <div className="flex min-w-0 flex-col gap-4">
            <FormStep number={1} title="Recipients">
              <RecipientFields form={form} start={start} audience={audience} />
            </FormStep>
            <FormStep number={2} title="Message">
              <MessageFields form={form} templates={start.templates} />
            </FormStep>
          </div>
          <FormStep number={3} title="Preview and send">
            <MessagePreview values={values} sample={sample} isActive={!disabled} />
            <p id={sendHintId} className={missing === null ? 'wrap-anywhere' : 'text-sm text-muted'}>
              {missing ?? (
                <>
                  <strong className="block font-semibold tabular-nums">
                    To {countOf(count ?? 0, 'recipient')}
                  </strong>
                  <span className="text-sm text-muted">{whomText(read)}</span>
                </>
              )}
            </p>
            <Button
              type="submit"
              className="self-start max-sm:self-stretch"
              icon={<Send aria-hidden="true" className="size-4" />}
              aria-disabled={isSending || missing !== null}
              aria-describedby={sendHintId}
            >
              {isSending
                ? 'Sending…'
                : missing === null && count
                  ? `Send to ${countOf(count, 'recipient')}`
                  : 'Send'}
            </Button>
          </FormStep>
        </fieldset>
      </Form>
      <ConfirmModal
        open={form.phase === 'sending'}
        isBusy={isSending}
        count={count ?? 0}
        subject={values.subject.trim()}
        queue={queue}
        onSend={() => form.answer(true)}
        onClose={() => form.answer(false)}
      />
    </>
  )
}

function FormStep({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col gap-4 rounded-box border bg-card p-4 shadow-card sm:p-5"
    >
      <h2 id={id} className="flex items-center gap-3 text-lg font-semibold">
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-full bg-primary-soft text-sm font-bold text-primary tabular-nums"
        >
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  )
}

interface RecipientFieldsProps {
  form: BulkFormState
  start: BulkStart
  audience: AudienceState
}

const ways = [
  { value: 'students', label: 'Students' },
  { value: 'list', label: 'List' },
  { value: 'file', label: 'Spreadsheet' },
] as const

/** Input of one way is preserved while another is chosen. */
function RecipientFields({ form, start, audience }: RecipientFieldsProps) {
  const { values, set, errorOf } = form
  const error = errorOf('way')
  return (
    <>
      <ChoiceButtons
        id={fieldIds.way}
        legend="Send to"
        choices={ways}
        selected={values.way}
        error={values.way === null ? error : undefined}
        onSelect={(way) => set('way', way)}
      />
      {values.way === 'students' && (
        <StudentRecipients form={form} start={start} audience={audience} error={error} />
      )}
      {values.way === 'list' && (
        <ListRecipients value={values.list} error={error} onChange={(list) => set('list', list)} />
      )}
      {values.way === 'file' && (
        <FileRecipients file={values.file} error={error} onChange={(file) => set('file', file)} />
      )}
    </>
  )
}

interface ListRecipientsProps {
  value: string
  error: string | undefined
  onChange: (list: string) => void
}

/** Spec §5: parsed while the user types. */
function ListRecipients({ value, error, onChange }: ListRecipientsProps) {
  const text = useDeferredValue(value)
  return (
    <>
      <TextAreaField
        id={fieldIds.list}
        name="list"
        label="Recipients"
        required
        density="compact"
        rows={7}
        spellCheck={false}
        autoCapitalize="none"
        className="font-normal [&_textarea]:font-mono [&_textarea]:max-md:text-base"
        placeholder={'juan@school.example\nMaria <maria@school.example>'}
        hint={
          <>
            One address per line, or separated by commas. You can add a name:{' '}
            <span className="whitespace-nowrap">Maria &lt;maria@school.example&gt;</span>. A JSON array of
            objects with <code>email</code> and <code>firstName</code> works too.
          </>
        }
        value={value}
        error={error}
        onChange={({ target }) => onChange(target.value)}
      />
      {text.trim() !== '' && <ListResult list={readList(text)} />}
    </>
  )
}

interface StudentRecipientsProps {
  form: BulkFormState
  start: BulkStart
  audience: AudienceState
  error: string | undefined
}

const archiveLabels = { all: 'All Students', active: 'Active Only', archived: 'Archived Only' } as const
const archiveOptions = archiveFilters.map((value) => ({ value, label: archiveLabels[value] }))

function StudentRecipients({ form, start, audience, error }: StudentRecipientsProps) {
  const { values, set } = form
  const { preview, failure, retry } = audience
  return (
    <>
      <div className="grid gap-3 max-md:[&_select]:min-h-11 sm:grid-cols-2">
        <SelectField
          id={fieldIds.component}
          name="component"
          label="NSTP Component"
          density="compact"
          placeholder="All components"
          options={nstpComponents}
          error={error}
          value={values.component}
          onChange={({ target }) =>
            set('component', nstpComponents.find((component) => component === target.value) ?? '')
          }
        />
        <SelectField
          id="bulk-year"
          name="academicYear"
          label="Academic Year"
          density="compact"
          placeholder="All Years"
          options={start.academicYears}
          value={values.academicYear}
          onChange={({ target }) => set('academicYear', target.value)}
        />
        <SelectField
          id="bulk-course"
          name="course"
          label="Course"
          density="compact"
          placeholder="All courses"
          options={start.courses}
          value={values.course}
          onChange={({ target }) => set('course', target.value)}
        />
        <SelectField
          id="bulk-archive"
          name="archive"
          label="Archive Status"
          density="compact"
          options={archiveOptions}
          value={values.archive}
          onChange={({ target }) =>
            set('archive', archiveFilters.find((archive) => archive === target.value) ?? 'active')
          }
        />
      </div>
      {failure === null ? <Counted preview={preview} /> : <ErrorBanner message={failure} onRetry={retry} />}
    </>
  )
}

function Counted({ preview }: { preview: AudiencePreview | null }) {
  if (preview === null) {
    return (
      <div role="status">
        <span className="sr-only">Counting the students</span>
        <Skeleton className="h-13 w-full" />
      </div>
    )
  }
  const { count, optedOut, duplicates, invalid } = preview
  return (
    <RecipientCount
      count={count}
      leftOut={leftOutTexts({ optedOutCount: optedOut, duplicateCount: duplicates, invalidCount: invalid })}
    />
  )
}

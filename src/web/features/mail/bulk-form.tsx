import { Send } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { mailSentences } from '#shared/mail/mail.ts'
import type { MailTemplateInfo } from '#shared/mail/mail-response.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters } from '#shared/students/students.ts'
import { Button } from '#web/components/button.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextAreaField } from '#web/components/field.tsx'
import { type EditForm, Form, useEditForm } from '#web/components/form.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { failureOf, useReadAgain } from '#web/lib/query.ts'
import {
  addresseesOf,
  FileRecipients,
  ListResult,
  missingAddressees,
  RecipientCount,
  useAudience,
  whomText,
} from './audience.tsx'
import { ConfirmModal } from './batch-actions.tsx'
import {
  type BulkValues,
  bodyOf,
  bulkAddress,
  controlIdOf,
  emptyBulkValues,
  fieldOf,
  idOf,
  problemsOf,
  readList,
} from './bulk-data.ts'
import { MessagePreview } from './bulk-preview.tsx'
import { isAtEmail, useEmailFrame } from './email-data.ts'
import { MessageFields } from './message-fields.tsx'
import { keyFor, type SendingKey } from './message-view.tsx'

const sendHintId = 'bulk-send-hint'

interface BulkStart {
  templates: readonly MailTemplateInfo[]
  courses: readonly string[]
  academicYears: readonly string[]
}

export function BulkForm({ start }: { start: BulkStart }) {
  const isConfigured = useEmailFrame().data?.status.isConfigured ?? false
  const navigate = useNavigate()
  const readAgain = useReadAgain()
  const key = useRef<SendingKey>(null)
  // Counted outside of the form's values.
  const recipients = useRef<Recipients>({ missing: null, isCounting: false })
  const [answer, setAnswer] = useState<{ give: (isSure: boolean) => void } | null>(null)
  const form = useEditForm<BulkValues, { id: string }>({
    values: emptyBulkValues,
    problemsOf(values) {
      const problems = problemsOf(values)
      const { missing, isCounting } = recipients.current
      if (problems.length > 0 || missing === null || isCounting) return problems
      return [{ path: 'way', message: missing }]
    },
    controlId: (path, { way }) => controlIdOf(path, way),
    confirm: async () =>
      !recipients.current.isCounting &&
      (await new Promise<boolean>((give) => setAnswer({ give })).finally(() => setAnswer(null))),
    async send(values) {
      const json = bodyOf(values)
      key.current = keyFor(json, key.current)
      try {
        return await callApi(api.mail.batches.$post({ json, header: { 'idempotency-key': key.current.key } }))
      } catch (error) {
        // A response may have been lost: then the batch is in the history.
        void readAgain()
        throw inWords(error)
      }
    },
    onSaved: ({ id }) => void navigate(bulkAddress.to({ batch: id })),
    // Pages of the history have other addresses over the same form.
    staysOpen: (next) => isAtEmail(next, 'bulk') && bulkAddress.read(next.search).batch === '',
  })
  const { values } = form
  const audience = useAudience(values)
  // A list can have thousands of lines: parsing must not slow down typing.
  const read = { ...values, list: useDeferredValue(values.list) }
  const { count, sample } = addresseesOf(read, audience.data)
  const missing = missingAddressees(read, audience)
  const isCounting = values.way === 'students' && audience.isPending
  const isSending = form.phase === 'sending' && answer === null
  useEffect(() => {
    recipients.current = { missing, isCounting }
  }, [missing, isCounting])
  return (
    <>
      <Form form={form} label="Bulk e-mail">
        <fieldset
          disabled={!isConfigured}
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
            <MessagePreview values={values} sample={sample} isActive={isConfigured} />
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
        onSend={() => answer?.give(true)}
        onClose={() => answer?.give(false)}
      />
    </>
  )
}

interface Recipients {
  /** Why there are none yet; null when there are. */
  missing: string | null
  isCounting: boolean
}

/** With the sentence of spec §8, and with the paths of the form. */
function inWords(error: unknown): unknown {
  const message = mailSentences.failedEmails(sentenceOf(error))
  showToast({ type: 'error', message })
  if (!(error instanceof ApiProblem)) return error
  const errors = error.problem.errors?.map(({ path, message }) => ({ path: fieldOf(path), message })) ?? []
  return new ApiProblem({ ...error.problem, detail: message, errors })
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
  form: EditForm<BulkValues>
  start: BulkStart
  audience: ReturnType<typeof useAudience>
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
        id={idOf('way')}
        legend="Send to"
        choices={ways}
        selected={values.way}
        error={values.way === null ? error : undefined}
        onSelect={(way) => set('way', way)}
      />
      {values.way === 'students' && (
        <StudentRecipients form={form} start={start} audience={audience} error={error} />
      )}
      {values.way === 'list' && <ListRecipients form={form} error={error} />}
      {values.way === 'file' && (
        <FileRecipients file={values.file} error={error} onChange={(file) => set('file', file)} />
      )}
    </>
  )
}

type RecipientsProps = Pick<RecipientFieldsProps, 'form'> & { error: string | undefined }

/** Spec §5: parsed while the user types. */
function ListRecipients({ form: { values, set }, error }: RecipientsProps) {
  const text = useDeferredValue(values.list)
  return (
    <>
      <TextAreaField
        id={idOf('list')}
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
        value={values.list}
        error={error}
        onChange={({ target }) => set('list', target.value)}
      />
      {text.trim() !== '' && <ListResult list={readList(text)} />}
    </>
  )
}

type StudentRecipientsProps = RecipientsProps & RecipientFieldsProps

const archiveLabels = { all: 'All Students', active: 'Active Only', archived: 'Archived Only' } as const
const archiveOptions = archiveFilters.map((value) => ({ value, label: archiveLabels[value] }))

function StudentRecipients({ form: { values, set }, start, audience, error }: StudentRecipientsProps) {
  const failure = failureOf(audience)
  const filters = [
    {
      name: 'component',
      label: 'NSTP Component',
      placeholder: 'All components',
      options: nstpComponents,
    },
    { name: 'academicYear', label: 'Academic Year', placeholder: 'All Years', options: start.academicYears },
    { name: 'course', label: 'Course', placeholder: 'All courses', options: start.courses },
    { name: 'archive', label: 'Archive Status', options: archiveOptions },
  ] as const
  return (
    <>
      <div className="grid gap-3 max-md:[&_select]:min-h-11 sm:grid-cols-2">
        {filters.map(({ name, ...select }) => (
          <SelectField
            key={name}
            {...select}
            name={name}
            id={idOf(name)}
            density="compact"
            error={name === 'component' ? error : undefined}
            value={values[name]}
            onChange={({ target }) => set(name, target.value)}
          />
        ))}
      </div>
      {failure !== null ? (
        <ErrorBanner message={failure} onRetry={() => void audience.refetch()} />
      ) : audience.data ? (
        <RecipientCount {...audience.data} />
      ) : (
        <Loading what="the number of students" lines={1} className="h-13" />
      )}
    </>
  )
}

import { Pencil, Send } from 'lucide-react'
import { type FocusEvent, type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { mailLimits, mailSentences } from '#shared/mail/mail.ts'
import { placeholderNames, placeholderTexts, unknownPlaceholders } from '#shared/mail/mail-placeholders.ts'
import type { MailTemplateInfo } from '#shared/mail/mail-response.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import { type EditForm, Form, useEditForm } from '#web/components/form.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { countOf, lengthHint } from '#web/lib/number-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { useSendingKey } from '#web/lib/sending-key.ts'
import { ConfirmModal } from './batch-actions.tsx'
import {
  type BulkValues,
  bodyOf,
  bulkAddress,
  componentOf,
  controlIdOf,
  fieldOf,
  idOf,
  isOfStudentsOnly,
  ownText,
  problemsOf,
  startOf,
} from './bulk-data.ts'
import { MessagePreview } from './bulk-preview.tsx'
import { isAtEmail, useEmailFrame } from './email-data.ts'
import {
  addresseesOf,
  missingAddressees,
  RecipientFields,
  useAudience,
  whomText,
} from './recipient-fields.tsx'

const sendHintId = 'bulk-send-hint'

interface BulkStart {
  templates: readonly MailTemplateInfo[]
  courses: readonly string[]
  academicYears: readonly string[]
}

export function BulkForm({ start }: { start: BulkStart }) {
  const isConfigured = useEmailFrame().data?.status.isConfigured ?? false
  const navigate = useNavigate()
  const location = useLocation()
  const account = useAccount()
  const readAgain = useReadAgain('mail')
  const { headerFor } = useSendingKey()
  // Counted outside of the form's values.
  const recipients = useRef<Recipients>({ missing: null, isCounting: false })
  const [answer, setAnswer] = useState<{ give: (isSure: boolean) => void } | null>(null)
  const form = useEditForm<BulkValues, { id: string }>({
    values: startOf(location, account.id),
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
      try {
        return await callApi(api.mail.batches.$post({ json, header: headerFor(json) }))
      } catch (error) {
        // A response may have been lost: then the batch is in the history.
        void readAgain()
        throw inWords(error)
      }
    },
    onSaved: ({ id }) => void navigate(bulkAddress.to({ batch: id })),
    // Pages of the history have other addresses over the same form.
    staysOpen: (next) =>
      isAtEmail(next, 'bulk') &&
      bulkAddress.read(next.search).batch === '' &&
      componentOf(next.search) === componentOf(location.search),
  })
  const { values } = form
  const [isAddressed] = useState(values.way !== null)
  useEffect(() => {
    // Only the message is left to write. Until it is known that mail works, the fields are disabled.
    if (isAddressed && isConfigured) controlOf(idOf('subject'))?.focus()
  }, [isAddressed, isConfigured])
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
              <RecipientFields form={form} choices={start} audience={audience} />
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
              icon={Send}
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

/** Gives an error its sentence and the paths of the form. */
function inWords(error: unknown): unknown {
  const message = mailSentences.failedEmails(sentenceOf(error))
  showToast('error', message)
  if (!(error instanceof ApiProblem)) return error
  const errors = error.problem.errors?.map(({ path, message }) => ({ path: fieldOf(path), message })) ?? []
  return new ApiProblem({ ...error.problem, detail: message, errors })
}

function FormStep({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  const titled = (
    <>
      <span
        aria-hidden="true"
        className="grid size-7 shrink-0 place-items-center rounded-full bg-primary-soft text-sm font-bold text-primary tabular-nums"
      >
        {number}
      </span>
      {title}
    </>
  )
  return <Card title={titled}>{children}</Card>
}

interface MessageFieldsProps {
  form: EditForm<BulkValues>
  templates: readonly MailTemplateInfo[]
}

function MessageFields({ form, templates }: MessageFieldsProps) {
  const { values, set, field, errorOf } = form
  const last = useRef<TextControl>(null)
  const stored = templates.find(({ name }) => name === values.template)
  const written = stored ? values.subject : `${values.subject}\n${values.body}`
  const text = {
    required: true,
    density: 'compact',
    onFocus: ({ currentTarget }: FocusEvent<TextControl>) => {
      last.current = currentTarget
    },
  } as const

  function insert(placeholder: string) {
    // The message's field goes with a stored text.
    const focused = last.current?.isConnected ? last.current : null
    const target = focused ?? controlOf(idOf('body')) ?? controlOf(idOf('subject'))
    if (target) insertAtCaret(target, placeholder)
  }

  return (
    <>
      <SelectField
        id={idOf('template')}
        name="template"
        label="Text"
        density="compact"
        options={[
          { value: ownText, label: 'Custom message' },
          ...templates.map(({ name, title }) => ({ value: name, label: title })),
        ]}
        error={errorOf('template')}
        value={values.template}
        onChange={({ target }) => {
          set('template', target.value)
          set('subject', subjectAfter(target.value, values.subject, templates))
        }}
      />
      <TextField
        {...field('subject')}
        {...text}
        id={idOf('subject')}
        label="Subject"
        autoComplete="off"
        hint={lengthHint(values.subject, mailLimits.subject)}
      />
      {stored ? (
        <StoredText template={stored} form={form} />
      ) : (
        <TextAreaField
          {...field('body')}
          {...text}
          id={idOf('body')}
          label="Message"
          rows={10}
          hint={
            lengthHint(values.body, mailLimits.body) ??
            'Blank line = new paragraph. **Bold**, *italic* and - lists work.'
          }
        />
      )}
      {/* A field's own sentence names them too. */}
      <UnknownPlaceholders
        names={(errorOf('subject') ?? errorOf('body')) === undefined ? unknownPlaceholders(written) : []}
      />
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-semibold">Insert a placeholder</legend>
        <div className="flex flex-wrap gap-1.5">
          {placeholderNames.map((name) => (
            <button
              key={name}
              type="button"
              title={placeholderTexts[name]}
              className="min-h-8 max-w-full rounded-box border border-edge bg-card px-2.5 font-mono text-sm hover:bg-soft disabled:text-muted max-md:min-h-11"
              onClick={() => insert(`{${name}}`)}
            >
              {`{${name}}`}
            </button>
          ))}
        </div>
      </fieldset>
      {values.way !== null && values.way !== 'students' && !stored && isOfStudentsOnly(written) && (
        <p className="rounded-box bg-warning-soft px-4 py-2.5 text-sm text-warning">
          A list has first names only. The other placeholders are filled in for recipients with a student
          record under the same address; for others they stay empty.
        </p>
      )}
    </>
  )
}

type TextControl = HTMLInputElement | HTMLTextAreaElement

function controlOf(id: string): TextControl | null {
  return document.querySelector<TextControl>(`#${id}`)
}

/** The template's subject, unless the user typed one. */
export function subjectAfter(chosen: string, subject: string, templates: readonly MailTemplateInfo[]) {
  const isTyped = subject.trim() !== '' && !templates.some((template) => template.subject === subject)
  return isTyped ? subject : (templates.find(({ name }) => name === chosen)?.subject ?? subject)
}

function UnknownPlaceholders({ names }: { names: readonly string[] }) {
  return (
    <p role="status" className="text-sm font-medium text-danger empty:sr-only">
      {names.length > 0 && (
        <>
          {names.length === 1 ? 'Unknown placeholder ' : 'Unknown placeholders '}
          {names.map((name) => (
            <mark
              key={name}
              className="mr-1 rounded-box bg-danger-soft px-1.5 py-0.5 font-mono wrap-anywhere text-danger"
            >{`{${name}}`}</mark>
          ))}
        </>
      )}
    </p>
  )
}

/** Inserts at the caret, replacing the selection, as if typed. */
function insertAtCaret(field: TextControl, text: string): void {
  field.focus()
  const start = field.selectionStart ?? field.value.length
  const end = field.selectionEnd ?? start
  field.setRangeText(text, start, end, 'end')
  // Fires the same event as a key press.
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function StoredText({ template, form }: { template: MailTemplateInfo; form: EditForm<BulkValues> }) {
  const { values, set } = form

  function write(body: string) {
    set('template', ownText)
    set('body', body)
  }

  function edit() {
    const former = values.body
    write(template.text)
    // This button is removed, and the focus with it.
    setTimeout(() => controlOf(idOf('body'))?.focus())
    if (former.trim() === '' || former === template.text) return
    showToast('info', 'Your message was replaced by the template.', {
      action: { label: 'Undo', onSelect: () => write(former) },
    })
  }

  return (
    <div className="flex flex-col gap-2">
      <p id="stored-text" className="text-sm font-semibold">
        Message
      </p>
      <section
        aria-labelledby="stored-text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="max-h-64 overflow-y-auto rounded-box border bg-soft px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {template.text}
      </section>
      <SmallButton className="self-start" icon={Pencil} onClick={edit}>
        Edit this text
      </SmallButton>
    </div>
  )
}

import { Eye, Send } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isBlank } from '#shared/field-rules.ts'
import { mailLimits } from '#shared/mail/mail.ts'
import { problemsOfSingleEmail, type SentEmail, type SingleEmailValues } from '#shared/mail/single-email.ts'
import type { FieldError } from '#shared/problem.ts'
import { Button } from '#web/components/button.tsx'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextAreaField, TextField } from '#web/components/field.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { FormattingHelp } from '#web/components/formatting-help.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { lengthHint } from '#web/lib/number-texts.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { emailPaneOf } from './email-data.ts'
import { MessageView, singleMailFailure, useMailPreview } from './message-view.tsx'

/** Spec §2 "Single Email". @param disabled while e-mail is not configured */
export function SingleEmail({ disabled }: { disabled: boolean }) {
  const form = useSingleEmail()
  const guard = useUnsavedGuard(
    form.isDirty,
    ({ pathname, search }) =>
      pathname === '/admin' &&
      tabOf(search) === 'email' &&
      emailPaneOf(new URLSearchParams(search)) === 'single',
  )
  const { values, sending, failure } = form

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void form.send('recipient')
  }

  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <form
        noValidate
        aria-label="Single Email"
        aria-busy={sending !== null}
        onSubmit={onSubmit}
        className="min-w-0 rounded-box border bg-card p-4 shadow-card sm:p-5"
      >
        <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
          <legend className="sr-only">E-mail to one person</legend>
          <p aria-live="assertive" className="sr-only">
            {form.errors[0]?.message}
          </p>
          {failure !== null && <FormFailure message={failure} />}
          <SingleFields form={form} />
          <Buttons form={form} />
        </fieldset>
      </form>
      <SinglePreview subject={values.subject} message={values.message} />
      <UnsavedPrompt open={guard.isAsking} onDiscard={guard.discard} onKeep={guard.keep} />
    </div>
  )
}

function Buttons({ form: { sending, send } }: { form: SingleEmailForm }) {
  const isBusy = sending !== null
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        type="submit"
        size="sm"
        className="max-md:min-h-11"
        aria-disabled={isBusy}
        icon={<Send aria-hidden="true" className="size-4" />}
      >
        {sending === 'recipient' ? 'Sending…' : 'Send Email'}
      </Button>
      <Button
        variant="outline"
        size="sm"
        className="max-md:min-h-11"
        aria-disabled={isBusy}
        onClick={() => void send('self')}
      >
        {sending === 'self' ? 'Sending…' : 'Send test to myself'}
      </Button>
    </div>
  )
}

function SinglePreview({ subject, message }: { subject: string; message: string }) {
  const titleId = useId()
  // As text, which is how the form sends it.
  const request = isBlank(message) ? null : { subject, message, format: 'text' as const }
  const { preview, failure, retry } = useMailPreview(request)
  return (
    <section
      aria-labelledby={titleId}
      className="flex min-w-0 flex-col gap-3 rounded-box border bg-card p-4 shadow-card sm:p-5"
    >
      <h2 id={titleId} className="text-lg font-semibold">
        Preview
      </h2>
      {failure !== null && <ErrorBanner message={failure} onRetry={retry} />}
      {preview ? (
        <MessageView {...preview} subject={preview.subject || 'No subject yet'} />
      ) : (
        <EmptyState icon={<Eye className="size-8" />} title="No preview yet">
          Enter a message to see what the recipient will see.
        </EmptyState>
      )}
    </section>
  )
}

function SingleFields({ form }: { form: SingleEmailForm }) {
  const { values, change, errorOf, sending } = form
  const common = { required: true, readOnly: sending !== null }
  return (
    <>
      <TextField
        {...common}
        id={fieldIds.to}
        name="to"
        label="Recipient"
        // Another person's address: no autofill.
        type="email"
        autoComplete="off"
        value={values.to}
        error={errorOf('to')}
        onChange={({ target }) => change({ to: target.value })}
      />
      <TextField
        {...common}
        id={fieldIds.subject}
        name="subject"
        label="Subject"
        autoComplete="off"
        value={values.subject}
        error={errorOf('subject')}
        onChange={({ target }) => change({ subject: target.value })}
      />
      <TextAreaField
        {...common}
        id={fieldIds.message}
        name="message"
        label="Message"
        rows={12}
        value={values.message}
        error={errorOf('message')}
        hint={lengthHint(values.message, mailLimits.body)}
        onChange={({ target }) => change({ message: target.value })}
      />
      <FormattingHelp />
    </>
  )
}

const empty: SingleEmailValues = { to: '', subject: '', message: '' }

const fieldIds: Record<keyof SingleEmailValues, string> = {
  to: 'single-to',
  subject: 'single-subject',
  message: 'single-message',
}

type SingleEmailForm = ReturnType<typeof useSingleEmail>

/** Sends once. Input is preserved until the server has accepted the mail. */
function useSingleEmail() {
  const [values, setValues] = useState(empty)
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [sending, setSending] = useState<Target | null>(null)
  const [refusals, setRefusals] = useState(0)
  // A second click can come before the next render.
  const isSending = useRef(false)
  const lastKey = useRef<SendingKey>(null)
  const navigate = useNavigate()
  const isDirty = Object.values(values).some((value) => value !== '')
  useDeferredSessionEnd(isDirty)

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal, not while somebody mends
  useEffect(() => {
    const path = errors[0]?.path
    if (refusals > 0 && isField(path)) document.getElementById(fieldIds[path])?.focus()
  }, [refusals])

  function change(edits: Partial<SingleEmailValues>) {
    // The form must stay as it is being sent.
    if (isSending.current) return
    setValues((typed) => ({ ...typed, ...edits }))
    setErrors((shown) => shown.filter(({ path }) => !(path in edits)))
  }

  function refuse(problems: readonly FieldError[]) {
    setErrors(problems)
    setRefusals((count) => count + 1)
  }

  async function send(target: Target) {
    if (isSending.current) return
    setFailure(null)
    const problems = problemsOfSingleEmail(values, target)
    if (problems.length > 0) return refuse(problems)
    setErrors([])
    isSending.current = true
    setSending(target)
    try {
      lastKey.current = keyFor(values, target, lastKey.current)
      const answer = await sendSingle(values, target, lastKey.current.key)
      lastKey.current = null
      notify(answer)
      if (target === 'recipient') reset()
    } catch (error) {
      if (isAnswer(error)) lastKey.current = null
      explain(error)
    } finally {
      isSending.current = false
      setSending(null)
    }
  }

  function notify({ success, message }: SentEmail) {
    if (success) return showToast({ type: 'success', message })
    const onSelect = () => void navigate(tabPath('email', { pane: 'outbox' }))
    return showToast({
      type: 'info',
      message,
      action: { label: 'Open the outbox', onSelect },
      shownMs: 12_000,
    })
  }

  function reset() {
    setValues(empty)
    document.getElementById(fieldIds.to)?.focus()
  }

  function explain(error: unknown) {
    const problem = error instanceof ApiProblem ? error.problem : undefined
    const refused = (problem?.errors ?? []).filter(({ path }) => isField(path))
    if (refused.length > 0) return refuse(refused)
    const sentence = singleMailFailure(error)
    showToast({ type: 'error', message: sentence })
    setFailure(sentence)
  }

  return {
    values,
    change,
    send,
    isDirty,
    sending,
    failure,
    errors,
    errorOf: (path: keyof SingleEmailValues) => errors.find((error) => error.path === path)?.message,
  }
}

function isField(path: string | undefined): path is keyof SingleEmailValues {
  return path !== undefined && path in fieldIds
}

type Target = 'recipient' | 'self'

/** The message is text, never HTML. @throws ApiProblem */
function sendSingle(values: SingleEmailValues, target: Target, key: string): Promise<SentEmail> {
  const header = { 'idempotency-key': key }
  const { to, subject, message } = values
  const mail = { subject, message, format: 'text' as const }
  return target === 'self'
    ? callApi(api.mail.test.$post({ json: mail, header }))
    : callApi(api['send-email'].$post({ json: { to, ...mail }, header }))
}

interface SendingKey {
  key: string
  of: string
}

/**
 * The idempotency key: the last one after a request without a response, so that the server sends
 * nothing twice; a new one for changed content.
 */
export function keyFor(values: SingleEmailValues, target: Target, lastKey: SendingKey | null): SendingKey {
  const of = JSON.stringify([target, values])
  return lastKey?.of === of ? lastKey : { key: crypto.randomUUID(), of }
}

/** Whether the server refused. Without a response the mail may have been sent. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false
  const { status, code } = error.problem
  return code === 'not_sent' || (status >= 400 && status < 500)
}

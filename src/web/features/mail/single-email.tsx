import { Eye, Send } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { isBlank } from '#shared/field-rules.ts'
import { mailLimits } from '#shared/mail/mail.ts'
import { type SentEmail, singleFormSchemas } from '#shared/mail/single-email.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextAreaField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { FormattingHelp } from '#web/components/formatting-help.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { lengthHint } from '#web/lib/number-texts.ts'
import { useSendingKey } from '#web/lib/sending-key.ts'
import { emailAddress, isAtEmail, useEmailFrame } from './email-data.ts'
import { MessageView, singleMailFailure, useMailPreview } from './message-view.tsx'

export function SingleEmail() {
  const isConfigured = useEmailFrame().data?.status.isConfigured ?? false
  const form = useSingleEmail()
  const { values, field, sending } = form
  // Prefixed: the configuration above has fields of its own.
  const common = { required: true, readOnly: sending !== null, autoComplete: 'off' }
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <Form
        form={form}
        label="Single Email"
        className="grid min-w-0 gap-4 rounded-box border bg-card p-4 shadow-card sm:p-5"
      >
        <fieldset disabled={!isConfigured} className="flex min-w-0 flex-col gap-4">
          <legend className="sr-only">E-mail to one person</legend>
          <TextField {...field('to')} {...common} id={idOf('to')} label="Recipient" type="email" />
          <TextField {...field('subject')} {...common} id={idOf('subject')} label="Subject" />
          <TextAreaField
            {...field('message')}
            {...common}
            id={idOf('message')}
            label="Message"
            rows={12}
            hint={lengthHint(values.message, mailLimits.body)}
          />
          <FormattingHelp />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" size="sm" aria-disabled={sending !== null} icon={Send}>
              {sending === 'recipient' ? 'Sending…' : 'Send Email'}
            </Button>
            <SmallButton aria-disabled={sending !== null} onClick={() => void form.sendTest()}>
              {sending === 'self' ? 'Sending…' : 'Send test to myself'}
            </SmallButton>
          </div>
        </fieldset>
      </Form>
      <SinglePreview subject={values.subject} message={values.message} />
    </div>
  )
}

function SinglePreview({ subject, message }: { subject: string; message: string }) {
  // The preview is made as text, which is how the form sends the message.
  const request = isBlank(message) ? null : { subject, message, format: 'text' as const }
  const { preview, failure, retry } = useMailPreview(request)
  return (
    <Card title="Preview">
      {failure !== null && <ErrorBanner message={failure} onRetry={retry} />}
      {preview ? (
        <MessageView {...preview} subject={preview.subject || 'No subject yet'} />
      ) : (
        <EmptyState icon={Eye} title="No preview yet">
          Enter a message to see what the recipient will see.
        </EmptyState>
      )}
    </Card>
  )
}

const empty = { to: '', subject: '', message: '' }

const idOf = (path: string) => `single-${path}`

/** The student's address, when a record led here. The next account at this browser may go back to it. */
function useChosenRecipient(): string {
  const { id } = useAccount()
  const chosen = z.object({ to: z.string(), by: z.literal(id) }).safeParse(useLocation().state)
  return chosen.success ? chosen.data.to : ''
}

/** Sends once. Input is preserved until the server has accepted the mail. */
function useSingleEmail() {
  const [target, setTarget] = useState<Target>('recipient')
  // A press and its check come before the next render.
  const pressed = useRef<Target>(target)
  const { headerFor, forget } = useSendingKey()
  const navigate = useNavigate()
  const form = useEditForm({
    values: { ...empty, to: useChosenRecipient() },
    problemsOf: (values) => problemsOfSchema(singleFormSchemas[pressed.current], values),
    controlId: idOf,
    staysOpen: (next) => isAtEmail(next, 'single'),
    async send(values) {
      try {
        const sent = await sendSingle(values, pressed.current, headerFor([pressed.current, values]))
        forget()
        return sent
      } catch (error) {
        if (isAnswer(error)) forget()
        throw inWords(error)
      }
    },
    onSaved(sent) {
      const isTest = pressed.current === 'self'
      // A test leaves the mail as it is, unsent.
      form.form.reset(empty, { keepValues: isTest })
      if (!isTest) document.getElementById(idOf('to'))?.focus()
      notify(sent)
    },
  })

  function notify({ success, message }: SentEmail) {
    if (success) return showToast('success', message)
    const onSelect = () => void navigate(emailAddress.to({ pane: 'outbox' }))
    return showToast('info', message, { action: { label: 'Open the outbox', onSelect }, shownMs: 12_000 })
  }

  async function submit(to: Target, event?: { preventDefault: () => void }) {
    event?.preventDefault()
    if (form.phase === 'sending') return
    pressed.current = to
    setTarget(to)
    await form.submit()
  }

  return {
    ...form,
    sending: form.phase === 'sending' ? target : null,
    submit: (event?: { preventDefault: () => void }) => submit('recipient', event),
    sendTest: () => submit('self'),
  }
}

/** Gives an error its sentence, which is also shown for a moment. */
function inWords(error: unknown): unknown {
  if (error instanceof ApiProblem && error.problem.errors?.length) return error
  const message = singleMailFailure(error)
  showToast('error', message)
  return error instanceof ApiProblem ? new ApiProblem({ ...error.problem, detail: message }) : error
}

type Target = 'recipient' | 'self'

/** The message is text, never HTML. @throws ApiProblem */
function sendSingle(
  { to, ...written }: typeof empty,
  target: Target,
  header: { 'idempotency-key': string },
): Promise<SentEmail> {
  const mail = { ...written, format: 'text' as const }
  return target === 'self'
    ? callApi(api.mail.test.$post({ json: mail, header }))
    : callApi(api['send-email'].$post({ json: { to, ...mail }, header }))
}

/** Whether the server refused. Without a response the mail may have been sent. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false
  const { status, code } = error.problem
  return code === 'not_sent' || (status >= 400 && status < 500)
}

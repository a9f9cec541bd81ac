import { useState } from 'react'
import * as z from 'zod/mini'
import { mailPresets, mailSentences } from '#shared/mail/mail.ts'
import {
  completeMailAccount,
  type MailAccountInput,
  mailAccountMessages,
  mailAccountSchema,
  missingFields,
} from '#shared/mail/mail-account.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import type { FieldError } from '#shared/problem.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { type EditForm, Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useAction, useReadAgain } from '#web/lib/query.ts'
import { type EmailFrameData, isAtEmail } from './email-data.ts'

/** Spec §2. The account is tested before it is stored. */
export function ConfigPanel({ data, onChange }: { data: EmailFrameData; onChange: () => void }) {
  // The form starts from the loaded account; a later reload must not discard input.
  const [form, setForm] = useState({ account: data.account, key: 0 })
  const startFrom = (account: MailAccount | null) => setForm({ account, key: form.key + 1 })

  return (
    <Card
      title="Email Configuration"
      lead="The account used to send all e-mail. We test the login before saving."
    >
      <ConfigForm
        key={form.key}
        account={form.account}
        data={data}
        onStored={(account) => {
          startFrom(account)
          onChange()
        }}
        onStartOver={() => startFrom(data.account)}
      />
    </Card>
  )
}

function ConfigRemoval({ account, onRemoved }: { account: MailAccount; onRemoved: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const { isPending, error, run } = useAction({
    topics: ['mail-account'],
    mutationFn: () => callApi(api.mail.account.$delete()),
    onSuccess() {
      setAsking(false)
      showToast({ type: 'success', message: 'Email configuration removed' })
      onRemoved()
    },
  })

  return (
    <>
      <SmallButton onClick={() => setAsking(true)}>Remove configuration</SmallButton>
      <QuestionModal
        title="Remove Email Configuration"
        thing={isAsking ? account : null}
        isBusy={isPending}
        words={() => ({ confirm: 'Remove', busy: 'Removing…' })}
        onConfirm={() => run()}
        onClose={() => setAsking(false)}
      >
        {({ senderAddress }) => (
          <div className="flex flex-col gap-3">
            {error && <ErrorBanner message={sentenceOf(error)} />}
            <p className="wrap-anywhere">
              This deletes the server and password of <AddressText text={senderAddress} />. No e-mail is sent
              until you configure it again: no welcome e-mails, bulk e-mails or announcements. Queued e-mails
              stay in the outbox.
            </p>
          </div>
        )}
      </QuestionModal>
    </>
  )
}

interface ConfigFormProps {
  account: MailAccount | null
  data: EmailFrameData
  onStored: (account: MailAccount | null) => void
  onStartOver: () => void
}

const advanced = ['userName', 'imapHost', 'imapPort'] as const

/** Input is preserved until the mail server has accepted it. */
function ConfigForm({ account, data: { defaults, status }, onStored, onStartOver }: ConfigFormProps) {
  const readAgain = useReadAgain('mail-account')
  const stored = status.isConfigured ? account : null
  const form = useEditForm({
    values: initialConfig(account, defaults),
    problemsOf: (values) => problemsOfConfig(values, stored),
    // The server tests the account before storing it. There is no version while e-mail was not configured.
    send: (values) =>
      callApi(
        slowApi['update-email-config'].$post(
          { json: configInput(values), header: {} },
          { headers: { 'If-Match': `"${account?.version ?? 0}"` } },
        ),
      ),
    onSaved({ account: saved }) {
      showToast({ type: 'success', message: mailSentences.configured })
      onStored(saved)
      void readAgain()
    },
    staysOpen: (next) => isAtEmail(next),
  })
  const isTesting = form.phase === 'sending'
  const mustOpen = advanced.some((name) => form.errorOf(name) !== undefined)
  const [isOpen, setOpen] = useState(account?.userName !== undefined && account.userName !== '')

  return (
    // Guarded only while something is unsaved: the pane below may have a guard too.
    <Form form={form} label="Email configuration" isGuarded={form.isDirty}>
      {form.failure?.code === 'conflict' && (
        <SmallButton className="justify-self-start" onClick={onStartOver}>
          Show the current configuration
        </SmallButton>
      )}
      <ConfigPresets form={form} />
      <ConfigFields form={form} keepsPassword={stored !== null} />
      <details open={isOpen || mustOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="min-h-9 cursor-pointer py-2 text-sm font-semibold max-md:min-h-11">
          Advanced: user name, bounces
        </summary>
        <div className="pt-2">
          <AdvancedFields form={form} />
        </div>
      </details>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="sm" aria-disabled={isTesting}>
          {isTesting ? 'Testing…' : 'Test and save'}
        </Button>
        {account && <ConfigRemoval account={account} onRemoved={() => onStored(null)} />}
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {isTesting && `Signing in to ${form.values.host}. This can take up to 30 seconds.`}
      </p>
    </Form>
  )
}

function ConfigPresets({ form }: { form: EditForm<ConfigValues> }) {
  const host = form.values.host.trim().toLowerCase()
  const chosen = mailPresets.find((preset) => preset.host === host)

  function choose(preset: (typeof mailPresets)[number]) {
    form.set('host', preset.host)
    form.set('port', String(preset.port))
    form.set('secure', preset.secure ? 'tls' : 'starttls')
    form.set('imapHost', preset.imapHost)
    form.set('imapPort', String(preset.imapPort))
  }

  return (
    <div className="flex flex-col gap-2">
      <fieldset className="flex flex-wrap items-center gap-2">
        <legend className="mb-1.5 text-sm font-semibold">Provider</legend>
        {mailPresets.map((preset) => (
          <Button
            key={preset.name}
            variant={preset === chosen ? 'primary' : 'outline'}
            size="sm"
            aria-pressed={preset === chosen}
            onClick={() => choose(preset)}
          >
            {preset.name}
          </Button>
        ))}
        <span className="text-sm text-muted">or use another mail server</span>
      </fieldset>
      {chosen && <p className="text-sm wrap-anywhere text-muted">{chosen.hint}</p>}
    </div>
  )
}

const encryptions = [
  { value: 'tls', label: 'SSL/TLS (465)' },
  { value: 'starttls', label: 'STARTTLS (587)' },
]

/** Neither words nor anything of the user's own. */
const technical = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

interface ConfigFieldsProps {
  form: EditForm<ConfigValues>
  keepsPassword: boolean
}

function ConfigFields({ form: { field, values, set, errorOf }, keepsPassword }: ConfigFieldsProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
      <TextField
        {...field('emailUser')}
        {...technical}
        type="email"
        label="Sender address"
        hint="Shown as sender and reply-to."
        required
      />
      <PasswordField
        {...field('emailPassword')}
        label="App password"
        hint={
          keepsPassword
            ? 'Leave blank to keep the current password.'
            : 'Create it in your e-mail provider’s settings. It is stored encrypted and not shown again.'
        }
        required={!keepsPassword}
        autoComplete="new-password"
      />
      <TextField
        {...field('senderName')}
        label="Sender name"
        hint="Leave blank to use the school name."
        autoComplete="off"
      />
      <TextField {...field('host')} {...technical} inputMode="url" label="Mail server (SMTP)" required />
      <TextField {...field('port')} label="Port" inputMode="numeric" autoComplete="off" required />
      <div className="flex flex-col items-start gap-2">
        <SelectField {...field('secure')} label="Encryption" options={encryptions} />
        {errorOf('secure') !== undefined &&
          (values.secure === 'tls' ? (
            <SmallButton onClick={() => set('secure', 'starttls')}>Use STARTTLS</SmallButton>
          ) : (
            <SmallButton
              onClick={() => {
                set('secure', 'tls')
                set('port', '465')
              }}
            >
              Use SSL/TLS with port 465
            </SmallButton>
          ))}
      </div>
    </div>
  )
}

function AdvancedFields({ form: { field } }: { form: EditForm<ConfigValues> }) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
      <TextField
        {...field('userName')}
        {...technical}
        label="User name"
        hint="Leave blank to sign in with the sender address."
        className="md:col-span-2"
      />
      <TextField
        {...field('imapHost')}
        {...technical}
        inputMode="url"
        label="Bounce mailbox server (IMAP)"
        hint="Checked for e-mails that could not be delivered. Leave blank to turn this off."
      />
      <TextField {...field('imapPort')} label="Bounce mailbox port" inputMode="numeric" autoComplete="off" />
    </div>
  )
}

const emptyAccount = { senderAddress: '', senderName: '', userName: '', imapHost: '', imapPort: 993 }

/** In form order. The server never returns the password. */
export function initialConfig(account: MailAccount | null, defaults: EmailFrameData['defaults']) {
  const initial = account ?? { ...emptyAccount, ...defaults }
  return {
    emailUser: initial.senderAddress,
    emailPassword: '',
    senderName: initial.senderName,
    host: initial.host,
    port: String(initial.port),
    // TLS from the first byte, or STARTTLS.
    secure: initial.secure ? 'tls' : 'starttls',
    userName: initial.userName,
    imapHost: initial.imapHost,
    imapPort: String(initial.imapPort),
  }
}

type ConfigValues = ReturnType<typeof initialConfig>

/** An invalid port becomes NaN, which its rule refuses. */
export function configInput({ port, secure, imapPort, ...texts }: ConfigValues): MailAccountInput {
  return { ...texts, port: numberOf(port), secure: secure === 'tls', imapPort: numberOf(imapPort) }
}

/** In form order. @param stored the account whose password can be reused; null for none */
export function problemsOfConfig(values: ConfigValues, stored: MailAccount | null): FieldError[] {
  const input = configInput(values)
  const checked = z.safeParse(mailAccountSchema, input).data ?? input
  const complete = completeMailAccount(checked, { ...emptyAccount, host: '', port: 0, secure: true })
  const missing = missingFields(complete, checked.emailPassword, stored)
  const host = values.host.trim() === '' ? [{ path: 'host', message: mailAccountMessages.host }] : []
  const found = [...missing, ...host, ...problemsOfSchema(mailAccountSchema, input)]
  return Object.keys(values).flatMap((name) => found.find(({ path }) => path === name) ?? [])
}

function numberOf(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
}

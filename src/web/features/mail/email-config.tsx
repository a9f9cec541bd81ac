import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { type MailAccount, mailPresets } from '#shared/mail/mail.ts'
import {
  completeMailAccount,
  type MailAccountInput,
  mailAccountMessages,
  mailAccountSchema,
  missingFields,
} from '#shared/mail/mail-account.ts'
import type { FieldError } from '#shared/problem.ts'
import { Button } from '#web/components/button.tsx'
import { useDeferredSessionEnd } from '#web/components/deferred-session-end.ts'
import { SelectField, TextField } from '#web/components/field.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { tabOf } from '#web/lib/admin-tab.ts'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { useContentForm } from '#web/lib/content-form.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'

interface ConfigFormProps {
  account: MailAccount | null
  defaults: ConfigDefaults
  hasPassword: boolean
  onSaved: (account: MailAccount) => void
  onStartOver: () => void
  children?: ReactNode
}

const advanced = ['userName', 'imapHost', 'imapPort']

/** Input is preserved until the mail server has accepted it. */
export function ConfigForm({
  account,
  defaults,
  hasPassword,
  onSaved,
  onStartOver,
  children,
}: ConfigFormProps) {
  const stored = hasPassword ? account : null
  const form = useContentForm({
    initial: initialConfig(account, defaults),
    problemsOf: (values) => problemsOfConfig(values, stored),
    send: (values) => ({ done: saveConfig(values, account?.version ?? null), cancel: () => undefined }),
    onSaved: ({ account: saved }) => onSaved(saved),
  })
  const { values, change, errorOf, phase, failure } = form
  const isTesting = phase === 'sending'
  const mustOpen = form.errors.some(({ path }) => advanced.includes(path))
  const [isOpen, setOpen] = useState(account?.userName !== undefined && account.userName !== '')
  useDeferredSessionEnd(form.isDirty)

  return (
    <form
      noValidate
      aria-label="Email configuration"
      onSubmit={(event) => void form.submit(event)}
      className="flex flex-col gap-4"
    >
      {failure && (
        <div className="flex flex-col gap-2">
          <FormFailure message={failure.sentence} />
          {failure.isConflict && (
            <Button variant="outline" size="sm" className="self-start" onClick={onStartOver}>
              Show the current configuration
            </Button>
          )}
        </div>
      )}
      <ConfigPresets values={values} onChoose={change} />
      <ConfigFields values={values} keepsPassword={stored !== null} change={change} errorOf={errorOf} />
      <details open={isOpen || mustOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="min-h-9 cursor-pointer py-2 text-sm font-semibold max-md:min-h-11">
          Advanced: user name, bounces
        </summary>
        <div className="pt-2">
          <AdvancedFields values={values} change={change} errorOf={errorOf} />
        </div>
      </details>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="sm" className="max-md:min-h-11" aria-disabled={isTesting}>
          {isTesting ? 'Testing…' : 'Test and save'}
        </Button>
        {children}
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {isTesting && `Signing in to ${values.host}. This can take up to 30 seconds.`}
      </p>
      {form.isDirty && <LeaveGuard />}
    </form>
  )
}

// Mounted only while something is unsaved: the pane below may have a guard too.
function LeaveGuard() {
  const guard = useUnsavedGuard(
    true,
    ({ pathname, search }) => pathname === '/admin' && tabOf(search) === 'email',
  )
  return <UnsavedPrompt open={guard.isAsking} onDiscard={guard.discard} onKeep={guard.keep} />
}

interface ConfigPresetsProps {
  values: ConfigValues
  onChoose: (values: Partial<ConfigValues>) => void
}

function ConfigPresets({ values, onChoose }: ConfigPresetsProps) {
  const chosen = mailPresets.find(({ host }) => host === values.host.trim().toLowerCase())
  return (
    <div className="flex flex-col gap-2">
      <fieldset className="flex flex-wrap items-center gap-2">
        <legend className="mb-1.5 text-sm font-semibold">Provider</legend>
        {mailPresets.map((preset) => (
          <Button
            key={preset.name}
            variant={preset === chosen ? 'primary' : 'outline'}
            size="sm"
            className="max-md:min-h-11"
            aria-pressed={preset === chosen}
            onClick={() => onChoose(valuesOf(preset))}
          >
            {preset.name}
          </Button>
        ))}
        <span className="text-sm text-muted">or enter another provider’s server below</span>
      </fieldset>
      {chosen && <p className="text-sm wrap-anywhere text-muted">{chosen.hint}</p>}
    </div>
  )
}

function valuesOf({
  host,
  port,
  secure,
  imapHost,
  imapPort,
}: (typeof mailPresets)[number]): Partial<ConfigValues> {
  return {
    host,
    port: String(port),
    secure: secure ? 'tls' : 'starttls',
    imapHost,
    imapPort: String(imapPort),
  }
}

interface ConfigFieldsProps {
  values: ConfigValues
  keepsPassword: boolean
  change: (values: Partial<ConfigValues>) => void
  errorOf: (name: string) => string | undefined
}

const encryptions = [
  { value: 'tls', label: 'SSL/TLS (465)' },
  { value: 'starttls', label: 'STARTTLS (587)' },
]

function ConfigFields({ values, keepsPassword, change, errorOf }: ConfigFieldsProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
      <TextField
        name="emailUser"
        type="email"
        inputMode="email"
        label="Sender address"
        hint="Shown as sender and reply-to."
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={values.emailUser}
        error={errorOf('emailUser')}
        onChange={({ target }) => change({ emailUser: target.value })}
      />
      <PasswordField
        name="emailPassword"
        label="App password"
        hint={
          keepsPassword
            ? 'Leave blank to keep the current password.'
            : 'Create it in your e-mail provider’s settings. It is stored encrypted and not shown again.'
        }
        required={!keepsPassword}
        autoComplete="new-password"
        value={values.emailPassword}
        error={errorOf('emailPassword')}
        onChange={({ target }) => change({ emailPassword: target.value })}
      />
      <TextField
        name="senderName"
        label="Sender name"
        hint="Leave blank to use the school name."
        autoComplete="off"
        value={values.senderName}
        error={errorOf('senderName')}
        onChange={({ target }) => change({ senderName: target.value })}
      />
      <ServerField
        name="host"
        label="Mail server (SMTP)"
        required
        values={values}
        change={change}
        errorOf={errorOf}
      />
      <PortField name="port" label="Port" required values={values} change={change} errorOf={errorOf} />
      <SelectField
        name="secure"
        label="Encryption"
        options={encryptions}
        value={values.secure}
        error={errorOf('secure')}
        onChange={({ target }) => change({ secure: target.value === 'tls' ? 'tls' : 'starttls' })}
      />
    </div>
  )
}

function AdvancedFields({ values, change, errorOf }: Omit<ConfigFieldsProps, 'keepsPassword'>) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
      <TextField
        name="userName"
        label="User name"
        hint="Leave blank to sign in with the sender address."
        className="md:col-span-2"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={values.userName}
        error={errorOf('userName')}
        onChange={({ target }) => change({ userName: target.value })}
      />
      <ServerField
        name="imapHost"
        label="Bounce mailbox server (IMAP)"
        hint="Checked for e-mails that could not be delivered. Leave blank to turn this off."
        values={values}
        change={change}
        errorOf={errorOf}
      />
      <PortField
        name="imapPort"
        label="Bounce mailbox port"
        values={values}
        change={change}
        errorOf={errorOf}
      />
    </div>
  )
}

interface OneFieldProps extends Omit<ConfigFieldsProps, 'keepsPassword'> {
  label: string
  hint?: string
  required?: boolean
}

function ServerField({
  name,
  values,
  change,
  errorOf,
  ...field
}: OneFieldProps & { name: 'host' | 'imapHost' }) {
  return (
    <TextField
      {...field}
      name={name}
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={values[name]}
      error={errorOf(name)}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  )
}

function PortField({
  name,
  values,
  change,
  errorOf,
  ...field
}: OneFieldProps & { name: 'port' | 'imapPort' }) {
  return (
    <TextField
      {...field}
      name={name}
      inputMode="numeric"
      autoComplete="off"
      value={values[name]}
      error={errorOf(name)}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  )
}

/**
 * The server tests the account before storing it. @param version null while e-mail was not
 * configured @throws ApiProblem
 */
async function saveConfig(values: ConfigValues, version: number | null) {
  const headers = { 'If-Match': `"${version ?? 0}"` }
  return await callApi(
    slowApi['update-email-config'].$post({ json: configInput(values), header: {} }, { headers }),
  )
}

/** @throws ApiProblem */
export async function removeConfig(): Promise<void> {
  await callApi(api.mail.account.$delete())
}

interface ConfigValues {
  emailUser: string
  emailPassword: string
  senderName: string
  userName: string
  host: string
  port: string
  /** TLS from the first byte, or STARTTLS. */
  secure: 'tls' | 'starttls'
  imapHost: string
  imapPort: string
}

export type ConfigDefaults = Pick<MailAccount, 'host' | 'port' | 'secure'>

const emptyAccount = { senderAddress: '', senderName: '', userName: '', imapHost: '', imapPort: 993 }

/** The server never returns the password. */
export function initialConfig(account: MailAccount | null, defaults: ConfigDefaults): ConfigValues {
  const initial = account ?? { ...emptyAccount, ...defaults }
  return {
    emailUser: initial.senderAddress,
    emailPassword: '',
    senderName: initial.senderName,
    userName: initial.userName,
    host: initial.host,
    port: String(initial.port),
    secure: initial.secure ? 'tls' : 'starttls',
    imapHost: initial.imapHost,
    imapPort: String(initial.imapPort),
  }
}

/** An invalid port becomes NaN, which its rule refuses. */
export function configInput({ port, secure, imapPort, ...texts }: ConfigValues): MailAccountInput {
  return { ...texts, port: numberOf(port), secure: secure === 'tls', imapPort: numberOf(imapPort) }
}

const fieldOrder = [
  'emailUser',
  'emailPassword',
  'senderName',
  'host',
  'port',
  'secure',
  'userName',
  'imapHost',
  'imapPort',
]

/** In form order. @param stored the account whose password can be reused; null for none */
export function problemsOfConfig(values: ConfigValues, stored: MailAccount | null): FieldError[] {
  const input = configInput(values)
  const { data, error } = z.safeParse(mailAccountSchema, input)
  const broken = (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
  const checked = data ?? input
  const complete = completeMailAccount(checked, { ...emptyAccount, host: '', port: 0, secure: true })
  const missing = missingFields(complete, checked.emailPassword, stored)
  const host = values.host.trim() === '' ? [{ path: 'host', message: mailAccountMessages.host }] : []
  const found = [...missing, ...host, ...broken]
  return fieldOrder.flatMap((name) => found.find(({ path }) => path === name) ?? [])
}

function numberOf(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
}

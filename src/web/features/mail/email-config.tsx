import { useState } from 'react'
import { mailPresets, mailSentences } from '#shared/mail/mail.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button, SmallButton } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { ConfirmAction } from '#web/components/confirm-action.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { type EditForm, Form } from '#web/components/form.tsx'
import { SubmitButton } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { type ConfigValues, configInput, initialConfig, problemsOfConfig } from './email-config-values.ts'
import { type EmailFrameData, isAtEmail } from './email-data.ts'
import { choosePreset, SignInFields, technical } from './sign-in-fields.tsx'

/** The account is tested before it is stored (product 17.2). */
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
  return (
    <>
      <SmallButton onClick={() => setAsking(true)}>Remove configuration</SmallButton>
      <ConfirmAction
        title="Remove Email Configuration"
        thing={isAsking ? account : null}
        topics={['mail-account']}
        send={() => callApi(api.mail.account.$delete())}
        done="Email configuration removed"
        onDone={onRemoved}
        words={() => ({ confirm: 'Remove', busy: 'Removing…' })}
        onClose={() => setAsking(false)}
      >
        {({ senderAddress }) => (
          <p className="wrap-anywhere">
            This deletes the server and the sign-in of <AddressText text={senderAddress} />. No e-mail is sent
            until you configure it again: no welcome e-mails, bulk e-mails or announcements. Queued e-mails
            stay in the outbox.
          </p>
        )}
      </ConfirmAction>
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
  const stored = status.isConfigured ? account : null
  const form = useOfficeForm({
    topics: ['mail-account'],
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
    done: mailSentences.configured,
    onDone: ({ account: saved }) => onStored(saved),
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
      <ConfigFields form={form} stored={stored} />
      <details open={isOpen || mustOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="min-h-9 cursor-pointer py-2 text-sm font-semibold max-md:min-h-11">
          Advanced: user name, bounces
        </summary>
        <div className="pt-2">
          <AdvancedFields form={form} />
        </div>
      </details>
      <div className="flex flex-wrap items-center gap-2">
        <SubmitButton form={form} size="sm" label="Test and save" busyLabel="Testing…" />
        {account && <ConfigRemoval account={account} onRemoved={() => onStored(null)} />}
      </div>
      <Hint role="status" className="empty:hidden">
        {isTesting && `Signing in to ${form.values.host}. This can take up to 30 seconds.`}
      </Hint>
    </Form>
  )
}

function ConfigPresets({ form }: { form: EditForm<ConfigValues> }) {
  const host = form.values.host.trim().toLowerCase()
  const chosen = mailPresets.find((preset) => preset.host === host)

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
            onClick={() => choosePreset(form, preset)}
          >
            {preset.name}
          </Button>
        ))}
        <span className="text-sm text-muted">or use another mail server</span>
      </fieldset>
      {chosen && form.values.signIn === 'password' && <Hint className="wrap-anywhere">{chosen.hint}</Hint>}
    </div>
  )
}

const encryptions = [
  { value: 'tls', label: 'SSL/TLS (465)' },
  { value: 'starttls', label: 'STARTTLS (587)' },
]

interface ConfigFieldsProps {
  form: EditForm<ConfigValues>
  stored: MailAccount | null
}

function ConfigFields({ form, stored }: ConfigFieldsProps) {
  const { field, values, set, errorOf } = form
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
      <SignInFields form={form} stored={stored} />
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

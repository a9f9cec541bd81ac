import { PasswordField } from '#web/components/password-field.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import { TextField } from '#web/components/text-field.tsx'
import type { ConfigValues } from './config-values.ts'

interface ConfigFieldsProps {
  values: ConfigValues
  /** Whether a password is stored that may stay. */
  keepsPassword: boolean
  change: (values: Partial<ConfigValues>) => void
  errorOf: (name: string) => string | undefined
}

const encryptions = [
  { value: 'tls', label: 'TLS from the start (port 465)' },
  { value: 'starttls', label: 'STARTTLS (port 587)' },
]

/** The fields that everybody needs. */
export function ConfigFields({ values, keepsPassword, change, errorOf }: ConfigFieldsProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
      <TextField
        name="emailUser"
        type="email"
        inputMode="email"
        label="Sender address"
        hint="Recipients see it, and answer to it."
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
            ? 'Leave empty to keep the password. It is never shown again.'
            : 'Made at the provider for this program. It is kept encrypted and never shown again.'
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
        hint="Empty for the school’s name."
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

/** What most providers need not be told. */
export function AdvancedFields({ values, change, errorOf }: Omit<ConfigFieldsProps, 'keepsPassword'>) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
      <TextField
        name="userName"
        label="User name"
        hint="Empty when the sender address signs in."
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
        label="Server of returned mail (IMAP)"
        hint="Read for messages that could not be delivered. Empty for none."
        values={values}
        change={change}
        errorOf={errorOf}
      />
      <PortField
        name="imapPort"
        label="Port of returned mail"
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

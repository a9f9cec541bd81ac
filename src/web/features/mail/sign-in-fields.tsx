import { mailPresets } from '#shared/mail/mail.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import { type OAuthWay, oauthProviders } from '#shared/mail/mail-sign-in.ts'
import { SelectField, TextField } from '#web/components/field.tsx'
import type { EditForm } from '#web/components/form.tsx'
import { Hint } from '#web/components/hint.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import type { ConfigValues } from './email-config-values.ts'

/** Neither words nor anything of the user's own. */
export const technical = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const

const ways = [
  { value: 'password', label: 'Password' },
  { value: 'microsoft', label: 'OAuth 2 (Microsoft 365)' },
  { value: 'google', label: 'OAuth 2 (Google)' },
  { value: 'other', label: 'OAuth 2 (another provider)' },
] as const

const grants = [
  { value: 'client_credentials', label: 'Of the app (no person signs in)' },
  { value: 'refresh_token', label: 'Of a person (refresh token)' },
]

type Preset = (typeof mailPresets)[number]

export function choosePreset({ set }: EditForm<ConfigValues>, preset: Preset): void {
  set('host', preset.host)
  set('port', String(preset.port))
  set('secure', preset.secure ? 'tls' : 'starttls')
  set('imapHost', preset.imapHost)
  set('imapPort', String(preset.imapPort))
}

interface SignInFieldsProps {
  form: EditForm<ConfigValues>
  /** The account whose secrets can be reused. */
  stored: MailAccount | null
}

const newSecret = 'It is stored encrypted and not shown again.'

/** Only the fields of the chosen way. */
export function SignInFields({ form, stored }: SignInFieldsProps) {
  const { field, values } = form
  const keeps = stored?.signIn === values.signIn
  return (
    <>
      <SelectField
        {...field('signIn')}
        onChange={({ currentTarget }) => chooseWay(form, currentTarget.value)}
        label="How this account signs in"
        options={ways}
      />
      {values.signIn === 'password' ? (
        <PasswordField
          {...field('emailPassword')}
          label="App password"
          hint={
            keeps
              ? 'Leave blank to keep the current password.'
              : `Create it in your e-mail provider’s settings. ${newSecret}`
          }
          required={!keeps}
          autoComplete="new-password"
        />
      ) : (
        <OAuthFields form={form} way={values.signIn} stored={keeps ? stored : null} />
      )}
    </>
  )
}

function OAuthFields({ form, way, stored }: SignInFieldsProps & { way: OAuthWay }) {
  const { field, values, errorOf } = form
  const { grants: offered, hint } = oauthProviders[way]
  const isOfPerson = values.grant === 'refresh_token' || way === 'google'
  const keepsToken = stored?.grant === 'refresh_token'
  return (
    <>
      <Hint className="wrap-anywhere md:col-span-2">{hint}</Hint>
      {way === 'microsoft' && (
        <TextField
          {...field('tenant')}
          {...technical}
          // The server knows the address that is made of it.
          error={errorOf('tenant') ?? errorOf('tokenEndpoint')}
          label="Directory (tenant) ID"
          hint="On the app’s Overview page."
          required
        />
      )}
      {way === 'other' && (
        <TextField
          {...field('tokenEndpoint')}
          {...technical}
          inputMode="url"
          label="Token address"
          hint="For example https://login.example.com/oauth2/token."
          required
        />
      )}
      <TextField {...field('clientId')} {...technical} label="Client ID" required />
      <PasswordField
        {...field('clientSecret')}
        label="Client secret"
        hint={stored ? 'Leave blank to keep the current client secret.' : `Its value. ${newSecret}`}
        required={!stored}
        autoComplete="off"
      />
      {offered.length > 1 && <SelectField {...field('grant')} label="Whose permission" options={grants} />}
      {way === 'other' && !isOfPerson && (
        <TextField {...field('tokenScope')} {...technical} label="Scope" required />
      )}
      {isOfPerson && (
        <PasswordField
          {...field('refreshToken')}
          label="Refresh token"
          hint={keepsToken ? 'Leave blank to keep the current refresh token.' : newSecret}
          required={!keepsToken}
          autoComplete="off"
        />
      )}
    </>
  )
}

/** The provider's servers come with it, unless the office's own server was entered. */
function chooseWay(form: EditForm<ConfigValues>, chosen: string): void {
  const way = ways.find(({ value }) => value === chosen)?.value
  if (way === undefined) return
  form.set('signIn', way)
  const isOfPreset = mailPresets.some(({ host }) => host === form.values.host.trim().toLowerCase())
  const preset = way !== 'password' && mailPresets.find(({ name }) => name === oauthProviders[way].preset)
  if (preset && isOfPreset && preset.host !== form.values.host) choosePreset(form, preset)
}

import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowLeft, Circle, CircleCheck, Monitor, Smartphone } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useRouteLoaderData } from 'react-router'
import { type Device, isLongEnough, leastPasswordLength, passwordMessages } from '#shared/auth/account.ts'
import type { SessionUser } from '#shared/auth/session.ts'
import { roleNames } from '#shared/people/permissions.ts'
import type { FieldError } from '#shared/problem.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, SmallLink } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { Form, useEditForm } from '#web/components/form.tsx'
import { SubmitButton } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import type { AdministratorFrame } from '#web/lib/administrator.ts'
import { api, callApi } from '#web/lib/api.ts'
import { isAbout } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { changeOwnSession } from '#web/lib/session-end.ts'
import { useSite } from '#web/lib/site.ts'
import { ProfileSection } from './profile-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** Product 24.4. */
export function ProfileTab() {
  // Known from the start: the form below it doesn't move.
  const user = useRouteLoaderData<Pick<AdministratorFrame, 'user'>>('pages/admin')?.user
  const { can } = useAccount()
  const query = useQuery({
    queryKey: ['session', 'profile'],
    meta: { topics: ['settings', 'mail-account'] },
    queryFn: ({ signal }) => loadProfile(user?.id ?? '', can('mail.account'), signal),
  })
  const { data, isError } = query
  const readAgain = useReadAgain('session')
  const { systemName, schoolName } = useSite()
  if (!user) return null
  return (
    <TabFrame query={query} failure="Failed to load the profile settings">
      <div className="group/profile mx-auto max-w-5xl">
        <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
          <h1 className="text-2xl font-bold tracking-tight">Profile Settings</h1>
          <SmallLink to={tabPath('dashboard')} replace icon={ArrowLeft}>
            Back to Dashboard
          </SmallLink>
        </div>
        <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-2 print:block">
          <div className="grid min-w-0 gap-4">
            <ProfileSection title="Your account">
              <AccountFacts user={user} />
            </ProfileSection>
            <ProfileSection title="Change Password">
              <PasswordForm
                email={user.email}
                ownWords={[user.email, user.displayName, systemName, schoolName]}
                tokenCount={data?.tokenCount ?? 0}
                onSaved={() => {
                  const message = 'Your password was changed. All other devices were signed out.'
                  showToast('success', message)
                }}
              />
            </ProfileSection>
          </div>
          {(data || !isError) && (
            <div className="grid min-w-0 gap-4">
              <TwoFactorSection
                twoFactor={data?.twoFactor ?? null}
                account={user.email}
                onChange={readAgain}
              />
              <ProfileSection title="Signed-in devices">
                {data ? <DeviceList devices={data.devices} /> : null}
              </ProfileSection>
            </div>
          )}
        </div>
      </div>
    </TabFrame>
  )
}

async function loadProfile(id: string, hasTokens: boolean, signal: AbortSignal) {
  const init = { init: { signal } }
  const [{ items: devices }, twoFactor, { items: tokens }] = await Promise.all([
    callApi(api.session.devices.$get(undefined, init)),
    callApi(api.session['two-factor'].$get(undefined, init)),
    hasTokens ? callApi(api.tokens.$get(undefined, init)) : { items: [] },
  ])
  return { devices, twoFactor, tokenCount: tokens.filter(({ createdById }) => createdById === id).length }
}

function AccountFacts({ user }: { user: SessionUser }) {
  const facts = [
    ['Display name', user.displayName],
    ['Email', user.email],
    ['Role', roleNames[user.role]],
  ]
  return (
    <dl className="grid gap-x-4 gap-y-3 sm:grid-cols-[minmax(0,8rem)_minmax(0,1fr)]">
      {facts.map(([term, value]) => (
        <div key={term} className="grid min-w-0 sm:contents">
          <dt className="text-sm font-medium text-muted">{term}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function DeviceList({ devices }: { devices: readonly Device[] }) {
  const { isPending: isBusy, run } = useActionWithToast({
    topics: ['session'],
    // An absent device means all other devices.
    async mutationFn(device: Device | undefined) {
      if (!device) return (await callApi(api.session.devices.$delete())).count
      await api.session.devices[':id'].$delete({ param: { id: device.id } })
      return 1
    },
    done(count, device) {
      const who = count === 1 ? '1 other device was' : `${count} other devices were`
      return `${device ? `${nameOf(device)} was` : who} signed out.`
    },
    whatFailed: 'Failed to sign out',
  })
  const hasOthers = devices.some(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul className="-my-3 divide-y">
        {devices.map((device) => (
          <DeviceItem key={device.id} device={device} isBusy={isBusy} onSignOut={() => run(device)} />
        ))}
      </ul>
      <div className="mt-6">
        {hasOthers ? (
          <Button
            variant="outline"
            aria-disabled={isBusy}
            className="max-sm:w-full"
            onClick={() => run(undefined)}
          >
            Sign out everywhere else
          </Button>
        ) : (
          <Hint>No other devices.</Hint>
        )}
      </div>
    </>
  )
}

interface DeviceItemProps {
  device: Device
  isBusy: boolean
  onSignOut: () => void
}

function DeviceItem({ device, isBusy, onSignOut }: DeviceItemProps) {
  const { momentOf } = useInstantTexts()
  const name = nameOf(device)
  const Icon = /^(Android|iPhone|iPad)$/.test(device.system) ? Smartphone : Monitor
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <Icon className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {device.isCurrent && <Badge tone="success">This device</Badge>}
        </p>
        <Hint className="wrap-anywhere">
          Signed in {momentOf(device.signedInAt)}
          {device.clientAddress && ` from ${device.clientAddress}`}
          {device.isKept && ', stays signed in'}
        </Hint>
        {!device.isCurrent && <Hint>Last used {momentOf(device.lastUsedAt)}</Hint>}
      </div>
      {!device.isCurrent && (
        <Button variant="outline" size="md" aria-disabled={isBusy} onClick={onSignOut}>
          Sign out<span className="sr-only"> {name}</span>
        </Button>
      )}
    </li>
  )
}

function nameOf({ browser, system }: Device): string {
  if (browser && system) return `${browser} on ${system}`
  return browser || system || 'Unknown device'
}

interface PasswordFormProps {
  /** For the browser's password manager. */
  email: string
  /** Known to an attacker: the address, the names of system and school. */
  ownWords: readonly string[]
  /** How many API tokens this administrator has. Somebody who knew the old password may have made one. */
  tokenCount?: number
  /** A first password, which was typed on the screen before: asked for only when that was long ago. */
  isFirst?: boolean
  onSaved: () => void
}

const empty = { currentPassword: '', code: '', newPassword: '', repeatedPassword: '', endApiTokens: true }
type Values = typeof empty

export function PasswordForm({ email, ownWords, tokenCount = 0, isFirst, onSaved }: PasswordFormProps) {
  const [asksCurrent, setAsksCurrent] = useState(!isFirst)
  const [asksCode, setAsksCode] = useState(false)
  const form = useEditForm<Values, unknown>({
    values: empty,
    problemsOf: (values) => problemsOf(values, { asksCurrent, isHardToGuess: strength?.isEnough ?? true }),
    async send({ currentPassword, newPassword, code, endApiTokens }) {
      const json = {
        ...(asksCurrent && { currentPassword }),
        newPassword,
        ...(code && { code }),
        endApiTokens: tokenCount > 0 && endApiTokens,
      }
      try {
        return await changeOwnSession(() => api.session.password.$put({ json }))
      } catch (error) {
        if (isAbout(error, 'code')) setAsksCode(true)
        if (isAbout(error, 'currentPassword')) setAsksCurrent(true)
        throw error
      }
    },
    onSaved() {
      setAsksCode(false)
      form.form.reset(empty)
      onSaved()
    },
  })
  const { values, field } = form
  const strength = usePasswordBits(values.newPassword, ownWords)

  return (
    <Form form={form} isGuarded={false}>
      <Hint>
        Changing your password signs you out on all other devices. Use a passphrase only you would think of.
      </Hint>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {asksCurrent && (
        <PasswordField
          {...field('currentPassword')}
          label="Current password"
          autoComplete="current-password"
        />
      )}
      {asksCode && (
        <TextField
          {...field('code')}
          label="Code"
          hint="From your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          required
        />
      )}
      <PasswordField
        {...field('newPassword')}
        label="New password"
        autoComplete="new-password"
        describedBy="password-rules"
      />
      <PasswordField
        {...field('repeatedPassword')}
        label="Confirm new password"
        autoComplete="new-password"
      />
      <PasswordRules password={values.newPassword} repeated={values.repeatedPassword} strength={strength} />
      {tokenCount > 0 && (
        <label className="flex min-h-11 items-start gap-3">
          <input
            {...form.form.register('endApiTokens')}
            type="checkbox"
            className="mt-0.5 size-5 shrink-0 accent-primary"
          />
          <span>
            {tokenCount === 1 ? 'End my API token too' : `End my ${tokenCount} API tokens too`}
            <span className="block text-sm text-muted">
              The programs that send e-mail with {tokenCount === 1 ? 'it' : 'them'} then need a new token.
            </span>
          </span>
        </label>
      )}
      <SubmitButton form={form} label="Change Password" />
    </Form>
  )
}

/** The first broken rule; the server decides. */
function problemsOf(
  { currentPassword, newPassword, repeatedPassword }: Values,
  { asksCurrent, isHardToGuess }: { asksCurrent: boolean; isHardToGuess: boolean },
): FieldError[] {
  if (asksCurrent && currentPassword === '')
    return [{ path: 'currentPassword', message: passwordMessages.currentRequired }]
  if (newPassword === '') return [{ path: 'newPassword', message: passwordMessages.newRequired }]
  if (!isLongEnough(newPassword)) return [{ path: 'newPassword', message: passwordMessages.tooShort }]
  if (!isHardToGuess) return [{ path: 'newPassword', message: passwordMessages.guessable }]
  return newPassword === repeatedPassword
    ? []
    : [{ path: 'repeatedPassword', message: passwordMessages.notRepeated }]
}

interface PasswordRulesProps {
  password: string
  repeated: string
  strength: ReturnType<typeof usePasswordBits>
}

function PasswordRules({ password, repeated, strength }: PasswordRulesProps) {
  const rules = [
    { text: `At least ${leastPasswordLength} characters`, isMet: isLongEnough(password) },
    { text: 'Not easy to guess', isMet: strength?.isEnough ?? false },
    { text: 'Passwords match', isMet: password !== '' && password === repeated },
  ]
  return (
    <div className="grid gap-3">
      <StrengthMeter bits={strength?.bits ?? null} />
      <ul id="password-rules" className="grid gap-1 text-sm">
        {rules.map(({ text, isMet }) => {
          const Icon = isMet ? CircleCheck : Circle
          return (
            <li key={text} className={clsx('flex items-center gap-2', isMet ? 'text-success' : 'text-muted')}>
              <Icon className="size-4 shrink-0" />
              {text}
              <span className="sr-only">{isMet ? ' (met)' : ' (not met)'}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const quarters = [1, 2, 3, 4]
const colours = ['bg-danger', 'bg-warning', 'bg-success', 'bg-success']

// The text repeats the bar.
function StrengthMeter({ bits }: { bits: number | null }) {
  const { level, word } = bits === null ? { level: 0, word: '—' } : strengthOf(bits)
  return (
    <div>
      <div aria-hidden="true" className="grid grid-cols-4 gap-1">
        {quarters.map((quarter) => (
          <span
            key={quarter}
            className={clsx('h-1.5 rounded-box', quarter <= level ? colours[level - 1] : 'bg-line')}
          />
        ))}
      </div>
      <Hint className="mt-1">
        Strength: <span className="font-semibold text-fg">{word}</span>
      </Hint>
    </div>
  )
}

// The steps are in bits. A password below the last one is refused.
// They are high, because letters of uncommon words count as random.
const steps = [
  { from: 100, level: 4, word: 'Strong' },
  { from: 70, level: 3, word: 'Good' },
  { from: 40, level: 2, word: 'Fair' },
]

export function strengthOf(bits: number): { level: number; word: string } {
  const { level, word } = steps.find(({ from }) => bits >= from) ?? { level: 1, word: 'Easy to guess' }
  return { level, word }
}

type Judge = typeof import('#shared/auth/password-strength.ts')

/** Null until the list of common words is loaded, with the first typing. */
function usePasswordBits(password: string, ownWords: readonly string[]) {
  const [judge, setJudge] = useState<Judge | null>(null)
  const isNeeded = password !== '' && judge === null
  useEffect(() => {
    if (!isNeeded) return
    // If the script can't be loaded, the server still checks: the rule only stays unmet here.
    import('#shared/auth/password-strength.ts').then(setJudge, () => undefined)
  }, [isNeeded])
  if (!judge || password === '') return null
  const bits = judge.passwordBits(password, ownWords)
  return { bits, isEnough: bits >= judge.leastBits }
}

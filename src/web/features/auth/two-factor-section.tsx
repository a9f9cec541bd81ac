import { Copy, Download, Printer } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  type CodeProof,
  codeMessages,
  passwordMessages,
  type TwoFactorSetUp as SetUp,
  type TwoFactor,
} from '#shared/auth/account.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { Form, useEditForm } from '#web/components/form.tsx'
import { SubmitButton } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { copyText } from '#web/lib/older-browsers.ts'
import { saveFile } from '#web/lib/save-download.ts'
import { useSite } from '#web/lib/site.ts'
import { ProfileSection } from './profile-section.tsx'

type Step =
  | { name: 'state' }
  | { name: 'password'; action: TwoFactorAction }
  | { name: 'set-up'; setUp: SetUp }
  | { name: 'codes'; codes: readonly string[] }

const questions = {
  begin: {
    explanation: 'Setup takes two minutes. You need an authenticator app on your phone.',
    action: 'Continue',
  },
  renew: {
    explanation: 'You get ten new recovery codes. Your current codes stop working.',
    action: 'Create new codes',
    asksCode: true,
  },
  'turn-off': {
    explanation: 'Anyone who knows your password can then sign in. Your recovery codes stop working too.',
    action: 'Turn off',
    asksCode: true,
    isDangerous: true,
  },
}

interface TwoFactorSectionProps {
  twoFactor: TwoFactor | null
  account: string
  /** It is on, off, or has other recovery codes. */
  onChange?: () => Promise<void>
  /** The recovery codes are; by default the section shows its state. */
  onSaved?: () => void
}

export function TwoFactorSection({ twoFactor, account, onChange, onSaved }: TwoFactorSectionProps) {
  const [step, setStep] = useState<Step>({ name: 'state' })
  const focusPlace = useRef<HTMLDivElement>(null)

  const twoFactorApi = api.session['two-factor']
  const run: Record<TwoFactorAction, (given: Required<CodeProof>) => Promise<void>> = {
    begin: async ({ password }) => {
      const setUp = await callApi(twoFactorApi['set-up'].$post({ json: { password } }))
      setStep({ name: 'set-up', setUp })
    },
    renew: async (json) => {
      const { recoveryCodes } = await callApi(twoFactorApi['recovery-codes'].$post({ json }))
      showCodes(recoveryCodes)
    },
    'turn-off': async (json) => {
      await twoFactorApi.off.$post({ json })
      await onChange?.()
      leave()
      showToast('success', 'Two-factor sign-in is off.')
    },
  }

  function showCodes(codes: readonly string[]) {
    setStep({ name: 'codes', codes })
    void onChange?.()
  }

  function leave() {
    setStep({ name: 'state' })
    focusLater(focusPlace)
  }

  const badge = twoFactor && (
    <Badge tone={twoFactor.isOn ? 'success' : 'warning'}>{twoFactor.isOn ? 'On' : 'Off'}</Badge>
  )
  return (
    <ProfileSection title="Two-factor sign-in" badge={badge}>
      {twoFactor && (
        <div ref={focusPlace} tabIndex={-1} className="min-h-33 outline-hidden max-sm:min-h-39">
          {step.name === 'state' && (
            <TwoFactorState twoFactor={twoFactor} onAct={(action) => setStep({ name: 'password', action })} />
          )}
          {step.name === 'password' && (
            <PasswordQuestion {...questions[step.action]} onConfirm={run[step.action]} onCancel={leave} />
          )}
          {step.name === 'set-up' && (
            <TwoFactorSetUp setUp={step.setUp} onDone={showCodes} onCancel={leave} />
          )}
          {step.name === 'codes' && (
            <RecoveryCodes account={account} codes={step.codes} onDone={onSaved ?? leave} />
          )}
        </div>
      )}
    </ProfileSection>
  )
}

// The pressed button is gone: focuses its successor.
function focusLater(place: RefObject<HTMLElement | null>) {
  setTimeout(() => place.current?.focus())
}

type TwoFactorAction = 'begin' | 'renew' | 'turn-off'

const fewCodes = 3

interface TwoFactorStateProps {
  twoFactor: TwoFactor
  onAct: (action: TwoFactorAction) => void
}

function TwoFactorState({ twoFactor, onAct }: TwoFactorStateProps) {
  const { dayOf } = useInstantTexts()
  if (!twoFactor.isOn) {
    return (
      <div className="grid grid-cols-1 gap-4">
        <p>
          <strong>{twoFactor.isRequired ? 'Required.' : 'Recommended.'}</strong> Sign-in will ask for your
          password and a code from your phone, so a stolen password alone is not enough.
        </p>
        <div>
          <Button onClick={() => onAct('begin')}>Set up</Button>
        </div>
      </div>
    )
  }
  const left = twoFactor.recoveryCodesLeft
  return (
    <div className="grid grid-cols-1 gap-4">
      <p>
        Sign-in asks for a code from your authenticator app
        {twoFactor.since && `, since ${dayOf(twoFactor.since)}`}.
      </p>
      <p className={left < fewCodes ? 'rounded-box bg-warning-soft px-4 py-3 text-warning' : ''}>
        {left === 1 ? '1 recovery code left.' : `${left} recovery codes left.`}
        {left < fewCodes && ' Please create new ones: without your phone they are the only way to sign in.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => onAct('renew')}>
          New recovery codes
        </Button>
        {!twoFactor.isRequired && (
          <Button variant="outline" onClick={() => onAct('turn-off')}>
            Turn off
          </Button>
        )}
      </div>
      {twoFactor.isRequired && <Hint>{codeMessages.staysOn}</Hint>}
    </div>
  )
}

interface PasswordQuestionProps {
  explanation: string
  action: string
  isDangerous?: boolean
  asksCode?: boolean
  onConfirm: (given: Required<CodeProof>) => Promise<void>
  onCancel: () => void
}

/** Security: asks for the password again. */
function PasswordQuestion(props: PasswordQuestionProps) {
  const { explanation, action, isDangerous = false, asksCode = false, onConfirm, onCancel } = props
  const form = useEditForm({
    values: { password: '', code: '' },
    problemsOf: ({ password, code }) => [
      ...(password === '' ? [{ path: 'password', message: passwordMessages.currentRequired }] : []),
      ...(asksCode && code.trim() === '' ? [{ path: 'code', message: codeMessages.required }] : []),
    ],
    send: onConfirm,
  })

  return (
    <Form form={form} isGuarded={false}>
      <p>{explanation}</p>
      <PasswordField
        {...form.field('password')}
        label="Your password"
        autoComplete="current-password"
        // The user has just opened this form.
        autoFocus
      />
      {asksCode && (
        <TextField
          {...form.field('code')}
          label="Code"
          hint="From your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          required
        />
      )}
      <div className="flex flex-wrap gap-2">
        <SubmitButton
          form={form}
          variant={isDangerous ? 'danger' : 'primary'}
          label={action}
          busyLabel={action}
        />
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

interface RecoveryCodesProps {
  account: string
  codes: readonly string[]
  onDone: () => void
}

/** Security: shown only once. */
function RecoveryCodes({ account, codes, onDone }: RecoveryCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const owner = `${useSite().systemName} recovery codes for ${account}`
  const text = `${owner}\n\n${codes.join('\n')}\n`
  return (
    <div data-recovery-codes="" className="grid gap-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-hidden">
        Save these recovery codes
      </h3>
      <p>
        Each code works once, if your phone is lost or broken. Store them with your important papers, not on
        the phone. They are shown only once.
      </p>
      <p className="hidden print:block">{owner}</p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1 rounded-box bg-soft px-4 py-3 font-mono min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button variant="outline" icon={Copy} onClick={() => void copy(text)}>
          Copy
        </Button>
        <Button
          variant="outline"
          icon={Download}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'nstp-recovery-codes.txt')}
        >
          Download
        </Button>
        <Button variant="outline" icon={Printer} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <div className="print:hidden">
        <Button onClick={onDone}>I’ve saved them</Button>
      </div>
    </div>
  )
}

async function copy(text: string) {
  if (await copyText(text)) {
    showToast('success', 'Recovery codes copied.')
    return
  }
  showToast('warning', 'Your browser did not allow copying. Please download or print the codes.')
}

interface TwoFactorSetUpProps {
  setUp: SetUp
  onDone: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

function TwoFactorSetUp({ setUp, onDone, onCancel }: TwoFactorSetUpProps) {
  const form = useEditForm({
    values: { code: '' },
    problemsOf: ({ code }) => (code.trim() === '' ? [{ path: 'code', message: codeMessages.required }] : []),
    send: ({ code }) => callApi(api.session['two-factor'].$post({ json: { code } })),
    onSaved: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <Form form={form} isGuarded={false} className="grid gap-5">
      <ol className="grid list-decimal gap-5 pl-5 marker:font-semibold">
        <li>
          Install an authenticator app on your phone: Google Authenticator, Microsoft Authenticator, Aegis,
          2FAS or another.
        </li>
        <li>
          <p>In the app, add an account and scan this QR code.</p>
          <img
            src={setUp.qrCode}
            width={208}
            height={208}
            alt="QR code for the authenticator app. You can type the key below instead."
            className="mt-3 rounded-box border bg-white"
          />
          <Hint className="mt-3">Or type this key into the app, with or without spaces:</Hint>
          <p className="mt-1 font-mono font-semibold wrap-anywhere select-all">{inGroups(setUp.secret)}</p>
        </li>
        <li>
          <p className="mb-3">Enter the 6-digit code shown in the app.</p>
          <TextField
            {...form.field('code')}
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            // The user has just opened this form.
            autoFocus
            className="max-w-52"
            required
          />
        </li>
      </ol>
      <div className="flex flex-wrap gap-2">
        <SubmitButton form={form} label="Turn on" busyLabel="Checking…" />
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

/** 'JBSWY3DPEHPK3PXP' → 'JBSW Y3DP EHPK 3PXP' */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}

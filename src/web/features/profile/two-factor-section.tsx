import { type RefObject, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { TwoFactorSetUp as SetUp, TwoFactor } from '#shared/account.ts'
import { Badge } from '#web/components/badge.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { PasswordQuestion } from './password-question.tsx'
import { ProfileSection } from './profile-section.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorSetUp } from './two-factor-set-up.tsx'
import { type TwoFactorAction, TwoFactorState } from './two-factor-state.tsx'

/** Where the person is in the section. */
type Step =
  | { name: 'state' }
  | { name: 'password'; action: TwoFactorAction }
  | { name: 'set-up'; setUp: SetUp }
  | { name: 'codes'; codes: readonly string[] }

const questions = {
  begin: {
    explanation: 'Setting up takes two minutes. You need an authenticator app on your phone.',
    action: 'Continue',
  },
  renew: {
    explanation: 'You get ten new recovery codes. The ones you have now stop working.',
    action: 'Make new codes',
  },
  'turn-off': {
    explanation: 'Whoever knows your password can sign in then. The recovery codes stop working too.',
    action: 'Turn off',
    isDangerous: true,
  },
}

interface TwoFactorSectionProps {
  /** Null while it is being read. */
  twoFactor: TwoFactor | null
  /** The administrator's address. */
  account: string
}

/** Two-factor sign-in: its state, setting it up, recovery codes, turning it off. */
export function TwoFactorSection({ twoFactor, account }: TwoFactorSectionProps) {
  const [step, setStep] = useState<Step>({ name: 'state' })
  const { revalidate } = useRevalidator()
  const focusPlace = useRef<HTMLDivElement>(null)

  const twoFactorApi = api.session['two-factor']
  const run: Record<TwoFactorAction, (password: string) => Promise<void>> = {
    begin: async (password) => {
      const setUp = await callApi(twoFactorApi['set-up'].$post({ json: { password } }))
      setStep({ name: 'set-up', setUp })
    },
    renew: async (password) => {
      const { recoveryCodes } = await callApi(twoFactorApi['recovery-codes'].$post({ json: { password } }))
      showCodes(recoveryCodes)
    },
    'turn-off': async (password) => {
      await twoFactorApi.off.$post({ json: { password } })
      await revalidate()
      leave()
      showToast({ type: 'success', message: 'Two-factor sign-in is off.' })
    },
  }

  function showCodes(codes: readonly string[]) {
    setStep({ name: 'codes', codes })
    void revalidate()
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
        <div ref={focusPlace} tabIndex={-1} className="outline-hidden">
          {step.name === 'state' && (
            <TwoFactorState twoFactor={twoFactor} onAct={(action) => setStep({ name: 'password', action })} />
          )}
          {step.name === 'password' && (
            <PasswordQuestion {...questions[step.action]} onConfirm={run[step.action]} onCancel={leave} />
          )}
          {step.name === 'set-up' && (
            <TwoFactorSetUp setUp={step.setUp} onDone={showCodes} onCancel={leave} />
          )}
          {step.name === 'codes' && <RecoveryCodes account={account} codes={step.codes} onDone={leave} />}
        </div>
      )}
    </ProfileSection>
  )
}

/** After the button that had the focus is gone, the focus is where its successor appeared. */
function focusLater(place: RefObject<HTMLElement | null>) {
  setTimeout(() => place.current?.focus())
}

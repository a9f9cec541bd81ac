import type { TwoFactor } from '#shared/account.ts'
import { Button } from '#web/components/button.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'

export type TwoFactorAction = 'begin' | 'renew' | 'turn-off'

/** With fewer recovery codes left it is time for new ones. */
const fewCodes = 3

interface TwoFactorStateProps {
  twoFactor: TwoFactor
  onAct: (action: TwoFactorAction) => void
}

/** Whether two-factor sign-in is on, and what can be done about it. */
export function TwoFactorState({ twoFactor, onAct }: TwoFactorStateProps) {
  const { dayOf } = useInstantTexts()
  if (!twoFactor.isOn) {
    return (
      <div className="grid gap-4">
        <p>
          <strong>Recommended.</strong> Signing in then asks for your password and for a code from your phone,
          so that a stolen password opens nothing.
        </p>
        <div>
          <Button onClick={() => onAct('begin')}>Set up</Button>
        </div>
      </div>
    )
  }
  const left = twoFactor.recoveryCodesLeft
  return (
    <div className="grid gap-4">
      <p>
        Signing in asks for a code of your authenticator app
        {twoFactor.since && `, since ${dayOf(twoFactor.since)}`}.
      </p>
      <p className={left < fewCodes ? 'rounded-box bg-warning-soft px-4 py-3 text-warning' : ''}>
        {left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`}
        {left < fewCodes && ' Please make new ones: without your phone they are the only way in.'}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => onAct('renew')}>
          New recovery codes
        </Button>
        <Button variant="outline" onClick={() => onAct('turn-off')}>
          Turn off
        </Button>
      </div>
    </div>
  )
}

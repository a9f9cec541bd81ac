import { type FormEvent, useState } from 'react'
import { codeMessages, type TwoFactorSetUp as SetUp } from '#shared/account.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/text-field.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useSubmission } from './use-submission.ts'

interface TwoFactorSetUpProps {
  setUp: SetUp
  onDone: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

/** From the authenticator app to the first right code, in three steps. */
export function TwoFactorSetUp({ setUp, onDone, onCancel }: TwoFactorSetUpProps) {
  const [code, setCode] = useState('')
  const { isBusy, submit, refuse, errorOf, sentence } = useSubmission()

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (code.trim() === '') return refuse('code', codeMessages.required)
    void submit(async () => {
      const { recoveryCodes } = await callApi(api.session['two-factor'].$post({ json: { code } }))
      onDone(recoveryCodes)
    })
  }

  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-5">
      <ol className="grid list-decimal gap-5 pl-5 marker:font-semibold">
        <li>
          Install an authenticator app on your phone: Google Authenticator, Microsoft Authenticator, Aegis,
          2FAS or another.
        </li>
        <li>
          <p>In the app, add an account and scan this picture.</p>
          <img
            src={setUp.qrCode}
            width={208}
            height={208}
            alt="QR code for the authenticator app. The key below says the same."
            className="mt-3 rounded-box border bg-white"
          />
          <p className="mt-3 text-sm text-muted">Or type this key into the app, with or without blanks:</p>
          <p className="mt-1 font-mono font-semibold wrap-anywhere select-all">{inGroups(setUp.secret)}</p>
        </li>
        <li>
          <p className="mb-3">Enter the six digits that the app shows now.</p>
          <TextField
            name="code"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            // The person has just asked for this form.
            autoFocus
            className="max-w-52"
            value={code}
            error={errorOf('code')}
            onChange={({ target }) => setCode(target.value)}
            required
          />
        </li>
      </ol>
      {sentence && <ErrorBanner message={sentence} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Checking…' : 'Turn on'}
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** 'JBSWY3DPEHPK3PXP' → 'JBSW Y3DP EHPK 3PXP': what a person copies from a screen is copied in small pieces. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}

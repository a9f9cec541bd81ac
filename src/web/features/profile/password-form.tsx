import { type FormEvent, useState } from 'react'
import { isLongEnough, passwordMessages } from '#shared/account.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api } from '#web/lib/api.ts'
import { changeOwnSession } from '#web/lib/own-session-change.ts'
import { PasswordRules } from './password-rules.tsx'
import { usePasswordBits } from './use-password-bits.ts'
import { useSubmission } from './use-submission.ts'

interface PasswordFormProps {
  /** For the browser's password manager: whose password it is. */
  email: string
  /** What an attacker knows: the address, the names of system and school. */
  ownWords: readonly string[]
}

const empty = { currentPassword: '', newPassword: '', repeatedPassword: '' }
type Values = typeof empty

/** Changing the password. What was typed stays until it has succeeded. */
export function PasswordForm({ email, ownWords }: PasswordFormProps) {
  const [values, setValues] = useState(empty)
  const { isBusy, submit, refuse, errorOf, sentence } = useSubmission()
  const strength = usePasswordBits(values.newPassword, ownWords)

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const fault = faultOf(values, strength?.isEnough ?? true)
    if (fault) return refuse(fault.path, fault.message)
    const { currentPassword, newPassword } = values
    const isChanged = await submit(() =>
      changeOwnSession(() => api.session.password.$put({ json: { currentPassword, newPassword } })),
    )
    if (!isChanged) return
    setValues(empty)
    showToast({ type: 'success', message: 'Your password was changed. All other devices were signed out.' })
  }

  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: errorOf(name),
    onChange: ({ target }: { target: HTMLInputElement }) => setValues({ ...values, [name]: target.value }),
  })

  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate className="grid gap-4">
      <p className="text-sm text-muted">
        A new password signs you out on all other devices. A sentence that only you would say is easy to
        remember and hard to guess.
      </p>
      {sentence && <ErrorBanner message={sentence} />}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField {...field('currentPassword')} label="Current password" autoComplete="current-password" />
      <PasswordField
        {...field('newPassword')}
        label="New password"
        autoComplete="new-password"
        describedBy="password-rules"
      />
      <PasswordField {...field('repeatedPassword')} label="New password, again" autoComplete="new-password" />
      <PasswordRules
        id="password-rules"
        password={values.newPassword}
        repeated={values.repeatedPassword}
        strength={strength}
      />
      <div>
        <Button type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Changing…' : 'Change Password'}
        </Button>
      </div>
    </form>
  )
}

/** The first rule that the form breaks; the server has the last word. */
function faultOf(values: Values, isHardToGuess: boolean): { path: keyof Values; message: string } | null {
  const { currentPassword, newPassword, repeatedPassword } = values
  if (currentPassword === '') return { path: 'currentPassword', message: passwordMessages.currentRequired }
  if (newPassword === '') return { path: 'newPassword', message: passwordMessages.newRequired }
  if (!isLongEnough(newPassword)) return { path: 'newPassword', message: passwordMessages.tooShort }
  if (!isHardToGuess) return { path: 'newPassword', message: passwordMessages.guessable }
  if (newPassword !== repeatedPassword) {
    return { path: 'repeatedPassword', message: passwordMessages.notRepeated }
  }
  return null
}

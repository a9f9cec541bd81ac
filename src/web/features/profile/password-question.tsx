import { type FormEvent, useState } from 'react'
import { passwordMessages } from '#shared/account.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { useSubmission } from './use-submission.ts'

interface PasswordQuestionProps {
  /** What is about to happen. */
  explanation: string
  action: string
  isDangerous?: boolean
  onConfirm: (password: string) => Promise<void>
  onCancel: () => void
}

/** Asks the password once more before something that an open screen alone must not allow. */
export function PasswordQuestion(props: PasswordQuestionProps) {
  const { explanation, action, isDangerous = false, onConfirm, onCancel } = props
  const [password, setPassword] = useState('')
  const { isBusy, submit, refuse, errorOf, sentence } = useSubmission()

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    if (password === '') return refuse('password', passwordMessages.currentRequired)
    void submit(() => onConfirm(password))
  }

  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-4">
      <p>{explanation}</p>
      {sentence && <ErrorBanner message={sentence} />}
      <PasswordField
        name="password"
        label="Your password"
        autoComplete="current-password"
        // The person has just asked for this form.
        autoFocus
        value={password}
        error={errorOf('password')}
        onChange={({ target }) => setPassword(target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={isDangerous ? 'danger' : 'primary'} aria-disabled={isBusy}>
          {action}
        </Button>
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

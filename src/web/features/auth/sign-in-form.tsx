import { clsx } from 'clsx'
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Form, useNavigation } from 'react-router'
import type { FieldError } from '#shared/problem.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/field.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'
import { loginPath } from '#web/lib/next-path.ts'

/** Security: holds the address, never the password. */
interface SignInFailure {
  email: string
  sentence: string | null
  errors: readonly FieldError[]
  asksCode: boolean
  keepsSignedIn: boolean
  isUnanswered?: boolean
  /** True while others guess: only a recovery code opens the account then. */
  isPaused?: boolean
}

interface SignInFormProps {
  adminEmail: string
  next: string
  hasEnded: boolean
  failure: SignInFailure | undefined
}

/** Product 7.1. A plain form: it works without scripts. */
export function SignInForm({ adminEmail, next, hasEnded, failure }: SignInFormProps) {
  const isBusy = useNavigation().formMethod === 'POST'
  const password = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  const asksCode = failure?.asksCode ?? false
  // A form with scripts still has the password. After a plain post it is entered again with the code.
  const [sent, setSent] = useState<'nothing' | 'password' | 'no password'>('nothing')
  const isPaused = failure?.isPaused ?? false
  const isPasswordKept = asksCode && sent === 'password' && !isPaused

  const followFailure = useEffectEvent(() => {
    // A plain post's page comes empty: what is in it was typed before its scripts arrived.
    if (!failure || !password.current || sent === 'nothing') return
    if (!failure.asksCode && !failure.isUnanswered) password.current.value = ''
    const next = password.current.value === '' ? password.current : code.current
    next?.focus()
    next?.select()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs with each answer
  useEffect(() => followFailure(), [failure])

  const errorOf = (field: string) => failure?.errors.find(({ path }) => path === field)?.message
  return (
    // The administration is in English only.
    <div lang="en" className="page-width grid grid-cols-1 place-items-center py-10 md:py-20">
      <div className="w-full max-w-md rounded-box border bg-card p-6 shadow-card sm:p-8">
        <h1 className="text-2xl font-bold tracking-tight">NSTP office login</h1>
        <p className="mt-1 text-muted">For people with an account. Students enlist without one.</p>
        <div className="mt-5 empty:hidden">
          {failure?.sentence && <ErrorBanner message={`Failed to sign in: ${failure.sentence}`} />}
          {asksCode && (
            <p role="status">
              {isPaused
                ? 'You can sign in now with your password and a recovery code.'
                : isPasswordKept
                  ? 'Two-factor sign-in is on. Please enter the 6-digit code from your authenticator app.'
                  : 'Two-factor sign-in is on. Please enter your password again and the 6-digit code from your authenticator app.'}
            </p>
          )}
          {hasEnded && !failure && (
            <p role="status" className="rounded-box bg-info-soft px-4 py-3 font-medium text-info">
              Your session has ended. Please sign in again.
            </p>
          )}
        </div>
        <Form
          method="post"
          action={loginPath({ next })}
          onSubmit={() => setSent(password.current?.value ? 'password' : 'no password')}
          noValidate
          className="mt-5 flex flex-col gap-5"
        >
          <div className={clsx('flex flex-col gap-5', isPasswordKept && 'hidden')}>
            <TextField
              name="email"
              label="Email"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={failure?.email ?? adminEmail}
              error={errorOf('email')}
              required
            />
            <PasswordField
              ref={password}
              name="password"
              label="Password"
              autoComplete="current-password"
              error={errorOf('password')}
            />
            <label className="flex min-h-11 items-start gap-3">
              <input
                type="checkbox"
                name="keepSignedIn"
                className="mt-0.5 size-5 shrink-0 accent-primary"
                defaultChecked={failure?.keepsSignedIn}
              />
              <span>
                Keep me signed in on this device
                <span className="block text-sm text-muted">For up to 30 days. Not on a shared computer.</span>
              </span>
            </label>
          </div>
          {asksCode && (
            <CodeField key={String(isPaused)} ref={code} error={errorOf('code')} isPaused={isPaused} />
          )}
          <Button type="submit" disabled={isBusy} className="w-full">
            {isBusy ? 'Signing in…' : 'Sign in'}
          </Button>
        </Form>
        {asksCode && (
          <a
            href={loginPath({ next })}
            className="mt-3 inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
          >
            Start again
          </a>
        )}
      </div>
    </div>
  )
}

interface CodeFieldProps {
  error: string | undefined
  isPaused: boolean
  ref: Ref<HTMLInputElement>
}

function CodeField({ error, isPaused, ref }: CodeFieldProps) {
  const [isRecovery, setIsRecovery] = useState(isPaused)
  const isHydrated = useHydrated()
  return (
    <div>
      <TextField
        ref={ref}
        name="code"
        label={isRecovery ? 'Recovery code' : 'Authentication code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        error={error}
        hint={isHydrated ? undefined : 'You can also use a recovery code.'}
        required={!isPaused}
      />
      {isHydrated && (
        <button
          type="button"
          className="mt-1 min-h-11 font-semibold text-primary underline underline-offset-4"
          onClick={() => setIsRecovery(!isRecovery)}
        >
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
      )}
    </div>
  )
}

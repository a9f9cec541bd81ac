import { type Ref, useState } from 'react'
import { TextField } from '#web/components/text-field.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'

interface CodeFieldProps {
  error: string | undefined
  ref: Ref<HTMLInputElement>
}

/** The second question of a sign-in: the authenticator app's code, or a recovery code in its place. */
export function CodeField({ error, ref }: CodeFieldProps) {
  const [isRecovery, setIsRecovery] = useState(false)
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
        hint={isHydrated ? undefined : 'A recovery code works here too.'}
        required
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

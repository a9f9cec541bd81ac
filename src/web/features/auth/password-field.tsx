import { clsx } from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from '#web/components/button.tsx'
import { Field } from '#web/components/field.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'

interface PasswordFieldProps extends Pick<ComponentProps<'input'>, 'autoComplete' | 'autoFocus' | 'ref'> {
  name: string
  label: string
  error?: string | undefined
}

/** A password with an eye to show what was typed. The eye appears with the scripts it needs. */
export function PasswordField({ name, label, error, ...input }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false)
  const isHydrated = useHydrated()
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field id={name} label={label} error={error} required>
      {(wiring) => (
        <span className="relative block">
          <input
            {...input}
            {...wiring}
            name={name}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className={clsx('control min-h-11 pr-12 text-base')}
          />
          {isHydrated && (
            <IconButton
              label={isShown ? 'Hide password' : 'Show password'}
              size="md"
              aria-pressed={isShown}
              className="absolute top-0 right-0"
              onClick={() => setIsShown(!isShown)}
            >
              <Icon aria-hidden="true" className="size-5" />
            </IconButton>
          )}
        </span>
      )}
    </Field>
  )
}

import { clsx } from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'
import { IconButton } from './button.tsx'
import { Field } from './field.tsx'

interface PasswordFieldProps
  extends Pick<ComponentProps<'input'>, 'autoComplete' | 'autoFocus' | 'onChange' | 'ref' | 'value'> {
  name: string
  label: string
  hint?: ReactNode
  describedBy?: string
  error?: string | undefined
  required?: boolean
}

/** The eye appears with its scripts. */
export function PasswordField(props: PasswordFieldProps) {
  const { name, label, hint, describedBy, error, required = true, ...input } = props
  const [isShown, setIsShown] = useState(false)
  const isHydrated = useHydrated()
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field id={name} label={label} hint={hint} error={error} required={required}>
      {(wiring) => (
        <span className="relative block">
          <input
            {...input}
            {...wiring}
            aria-describedby={clsx(wiring['aria-describedby'], describedBy) || undefined}
            name={name}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            className="control min-h-11 pr-12 text-base"
          />
          {isHydrated && (
            <IconButton
              label={isShown ? 'Hide password' : 'Show password'}
              size="md"
              aria-pressed={isShown}
              className="absolute top-0 right-0"
              onClick={() => setIsShown(!isShown)}
              icon={Icon}
            />
          )}
        </span>
      )}
    </Field>
  )
}

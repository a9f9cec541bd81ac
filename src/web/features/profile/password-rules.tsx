import { clsx } from 'clsx'
import { Circle, CircleCheck } from 'lucide-react'
import { isLongEnough, leastPasswordLength } from '#shared/account.ts'
import { strengthOf } from './strength.ts'
import type { usePasswordBits } from './use-password-bits.ts'

interface PasswordRulesProps {
  id: string
  password: string
  repeated: string
  strength: ReturnType<typeof usePasswordBits>
}

/** What a new password needs, ticked off while it is typed. */
export function PasswordRules({ id, password, repeated, strength }: PasswordRulesProps) {
  const rules = [
    { text: `At least ${leastPasswordLength} characters`, isMet: isLongEnough(password) },
    { text: 'Not easy to guess', isMet: strength?.isEnough ?? false },
    { text: 'Typed the same twice', isMet: password !== '' && password === repeated },
  ]
  return (
    <div className="grid gap-3">
      <StrengthMeter bits={strength?.bits ?? null} />
      <ul id={id} className="grid gap-1 text-sm">
        {rules.map(({ text, isMet }) => {
          const Icon = isMet ? CircleCheck : Circle
          return (
            <li key={text} className={clsx('flex items-center gap-2', isMet ? 'text-success' : 'text-muted')}>
              <Icon aria-hidden="true" className="size-4 shrink-0" />
              {text}
              <span className="sr-only">{isMet ? ' (done)' : ' (still open)'}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

const quarters = [1, 2, 3, 4]
/** By level, from 1. */
const colours = ['bg-danger', 'bg-warning', 'bg-success', 'bg-success']

/** The bar is for the eye; the word says the same. */
function StrengthMeter({ bits }: { bits: number | null }) {
  const { level, word } = bits === null ? { level: 0, word: '—' } : strengthOf(bits)
  return (
    <div>
      <div aria-hidden="true" className="grid grid-cols-4 gap-1">
        {quarters.map((quarter) => (
          <span
            key={quarter}
            className={clsx('h-1.5 rounded-box', quarter <= level ? colours[level - 1] : 'bg-line')}
          />
        ))}
      </div>
      <p className="mt-1 text-sm text-muted">
        Strength: <span className="font-semibold text-fg">{word}</span>
      </p>
    </div>
  )
}

import { useRef, useState } from 'react'
import type { ApiToken, MadeApiToken } from '#shared/api-tokens.ts'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useFocusBack } from '#web/lib/focus-back.ts'
import { MadeToken } from './made-token.tsx'
import { TokenForm } from './token-form.tsx'
import { TokenList } from './token-list.tsx'

interface TokenPanelProps {
  /** Null while they are being read. */
  tokens: readonly ApiToken[] | null
  /** Called when there are others. */
  onChange: () => void
}

/** The tokens of other programs, of the system settings: made, shown once, revoked. */
export function TokenPanel({ tokens, onChange }: TokenPanelProps) {
  const [made, setMade] = useState<MadeApiToken | null>(null)
  const head = useRef<HTMLParagraphElement>(null)
  useFocusBack(made !== null, head)

  function forget(id: string) {
    // Nobody should copy a token that opens nothing any more.
    setMade((shown) => (shown?.id === id ? null : shown))
    onChange()
  }

  return (
    <div className="grid gap-4">
      <p ref={head} tabIndex={-1} className="text-sm text-muted outline-hidden">
        Another program of the school, such as an enrollment system, can send e-mail through this one. It
        shows a token as <code className="font-mono wrap-anywhere">Authorization: Bearer nstp_…</code>. A
        token opens nothing but the e-mail calls of the{' '}
        <a href="/api/docs" className="text-primary underline underline-offset-4">
          API
        </a>
        .
      </p>
      {made ? (
        <MadeToken made={made} onDone={() => setMade(null)} />
      ) : (
        <TokenForm
          onMade={(token) => {
            setMade(token)
            onChange()
          }}
        />
      )}
      {tokens ? <TokenList tokens={tokens} onRevoked={forget} /> : <Skeleton className="h-16" />}
    </div>
  )
}

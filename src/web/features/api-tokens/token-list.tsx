import { useRef, useState } from 'react'
import type { ApiToken } from '#shared/api-tokens.ts'
import { Button } from '#web/components/button.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { relativeTime, usePresent } from '#web/lib/relative-time.ts'
import { RevokeModal } from './revoke-modal.tsx'

interface TokenListProps {
  tokens: readonly ApiToken[]
  onRevoked: (id: string) => void
}

/** The tokens in use. */
export function TokenList({ tokens, onRevoked }: TokenListProps) {
  const [asked, setAsked] = useState<ApiToken | null>(null)
  const list = useRef<HTMLElement>(null)
  return (
    <section ref={list} tabIndex={-1} aria-label="API tokens in use" className="outline-hidden">
      {tokens.length === 0 ? (
        <p className="rounded-box bg-soft px-4 py-3 text-sm">No program has a token.</p>
      ) : (
        <ul className="divide-y rounded-box border">
          {tokens.map((token) => (
            <Row key={token.id} token={token} onRevoke={() => setAsked(token)} />
          ))}
        </ul>
      )}
      <RevokeModal
        token={asked}
        focusBack={() => list.current ?? true}
        onClose={() => setAsked(null)}
        onRevoked={onRevoked}
      />
    </section>
  )
}

function Row({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { dayOf } = useInstantTexts()
  const now = usePresent(token)
  const { name, prefix, createdAt, lastUsedAt } = token
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="text-muted">
          <code className="font-mono">{prefix}…</code> · made {dayOf(createdAt)} ·{' '}
          {lastUsedAt === null ? 'never used' : `last used ${relativeTime(lastUsedAt, now)}`}
        </p>
      </div>
      <Button
        variant="outline"
        size="sm"
        className="max-md:min-h-11"
        aria-label={`Revoke ${name}`}
        onClick={onRevoke}
      >
        Revoke
      </Button>
    </li>
  )
}

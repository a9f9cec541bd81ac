import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  type ApiToken,
  apiTokenLimits,
  type MadeApiToken,
  newApiTokenSchema,
} from '#shared/auth/api-tokens.ts'
import { SmallButton } from '#web/components/button.tsx'
import { ConfirmAction } from '#web/components/confirm-action.tsx'
import { TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { SubmitButton } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { api, callApi, reading } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useFocusBack } from '#web/lib/focus.ts'
import { relativeTime, useNow } from '#web/lib/relative-time.ts'

export function TokenPanel() {
  const query = useQuery({
    // Changes of tokens are announced under the topic of the mail account.
    queryKey: ['mail-account', 'tokens'],
    queryFn: reading(api.tokens.$get, undefined),
  })
  const [made, setMade] = useState<MadeApiToken | null>(null)
  const head = useRef<HTMLParagraphElement>(null)
  useFocusBack(made !== null, head)

  return (
    <TabFrame query={query} failure="Failed to load the API tokens">
      <div className="grid gap-4">
        <Hint ref={head} tabIndex={-1} className="outline-hidden">
          Let another school system, such as enrollment, send e-mail through this one. Send the token as{' '}
          <code className="font-mono wrap-anywhere">Authorization: Bearer nstp_…</code>. Tokens only allow
          sending e-mail; see the{' '}
          <a href="/api/docs" className="text-primary underline underline-offset-4">
            API
          </a>
          .
        </Hint>
        {made ? (
          <ShownOnce
            title={`Token for ${made.name}`}
            hint="Copy it now: it is shown only once. If you lose it, revoke it and create a new one."
            what="Token"
            secret={made.token}
            onDone={() => setMade(null)}
          />
        ) : (
          <TokenForm onMade={setMade} />
        )}
        {query.data ? (
          <TokenList
            tokens={query.data.items}
            // A revoked token must not be copied.
            onRevoked={(id) => setMade((current) => (current?.id === id ? null : current))}
          />
        ) : (
          <Skeleton className="h-16" />
        )}
      </div>
    </TabFrame>
  )
}

function TokenList({ tokens, onRevoked }: { tokens: readonly ApiToken[]; onRevoked: (id: string) => void }) {
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  const list = useRef<HTMLElement>(null)
  return (
    <section ref={list} tabIndex={-1} aria-label="API tokens in use" className="outline-hidden">
      {tokens.length === 0 ? (
        <p className="rounded-box bg-soft px-4 py-3 text-sm">No API tokens yet.</p>
      ) : (
        <ul className="divide-y rounded-box border">
          {tokens.map((token) => (
            <Row key={token.id} token={token} onRevoke={() => setRevoking(token)} />
          ))}
        </ul>
      )}
      <ConfirmAction
        title="Revoke this token?"
        thing={revoking}
        topics={['mail-account']}
        send={({ id }) => callApi(api.tokens[':id'].$delete({ param: { id } }))}
        done={(_none, { name }) => `Token for ${name} revoked`}
        onDone={(_none, { id }) => onRevoked(id)}
        focusBack={() => list.current ?? true}
        words={() => ({ confirm: 'Revoke token', busy: 'Revoking…' })}
        onClose={() => setRevoking(null)}
      >
        {({ name }) => (
          <p>
            <strong className="wrap-anywhere">{name}</strong> will no longer be able to send e-mail through
            this system. This cannot be undone, but you can create a new token.
          </p>
        )}
      </ConfirmAction>
    </section>
  )
}

function Row({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { dayOf } = useInstantTexts()
  const now = useNow(token)
  const { name, prefix, createdAt, lastUsedAt, expiresAt, domain, dailyLimit } = token
  const isEnded = new Date(expiresAt) <= now
  const limits = [domain && `only to ${domain}`, dailyLimit && `at most ${dailyLimit} a day`].filter(Boolean)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="text-muted">
          <code className="font-mono">{prefix}…</code> · created {dayOf(createdAt)} ·{' '}
          {lastUsedAt === null ? 'never used' : `last used ${relativeTime(lastUsedAt, now)}`} ·{' '}
          {isEnded ? 'ended' : 'ends'} {dayOf(expiresAt)}
          {limits.map((limit) => ` · ${limit}`)}
        </p>
      </div>
      <SmallButton aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </SmallButton>
    </li>
  )
}

interface TokenValues {
  name: string
  days: string
  domain: string
  dailyLimit: string
}

function tokenOf({ name, days, domain, dailyLimit }: TokenValues) {
  return {
    name: name.trim(),
    days: Number(days),
    domain: domain.trim(),
    dailyLimit: dailyLimit.trim() === '' ? null : Number(dailyLimit),
  }
}

const tokenFields = [
  { name: 'name', label: 'Program name', hint: 'Shown in the audit trail.', required: true },
  { name: 'days', label: 'Expires after (days)', inputMode: 'numeric', required: true },
  {
    name: 'domain',
    label: 'Allowed recipient domain',
    hint: 'Such as school.edu.ph. Leave empty for every address.',
  },
  {
    name: 'dailyLimit',
    label: 'Most e-mails a day',
    hint: 'Leave empty for no limit.',
    inputMode: 'numeric',
  },
] as const

function TokenForm({ onMade }: { onMade: (made: MadeApiToken) => void }) {
  const form = useOfficeForm({
    topics: ['mail-account'],
    values: { name: '', days: String(apiTokenLimits.days), domain: '', dailyLimit: '' },
    problemsOf: (values) => problemsOfSchema(newApiTokenSchema, tokenOf(values)),
    controlId: (path) => `api-token-${path}`,
    send: (values) => callApi(api.tokens.$post({ json: tokenOf(values) })),
    onDone: onMade,
  })
  return (
    <Form form={form} label="New API token" isGuarded={false}>
      {tokenFields.map(({ name, ...field }) => (
        <TextField
          key={name}
          {...form.field(name)}
          {...field}
          density="compact"
          className="max-w-md"
          autoComplete="off"
        />
      ))}
      <SubmitButton form={form} size="sm" icon={KeyRound} label="Create token" />
    </Form>
  )
}

import type { SessionUser } from '#shared/session.ts'

/** Who is signed in, to read (spec §2 Profile Settings). */
export function AccountFacts({ user }: { user: SessionUser }) {
  const facts = [
    ['Display name', user.displayName],
    ['Email', user.email],
    ['Role', 'Administrator'],
  ]
  return (
    <dl className="grid gap-x-4 gap-y-3 sm:grid-cols-[8rem_1fr]">
      {facts.map(([term, value]) => (
        <div key={term} className="grid min-w-0 sm:contents">
          <dt className="text-sm font-medium text-muted">{term}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

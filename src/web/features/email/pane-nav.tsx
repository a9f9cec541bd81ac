import { clsx } from 'clsx'
import { Inbox, MailWarning } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { tabPath } from '#web/lib/admin-tab.ts'
import { figureText } from '#web/lib/count-text.ts'
import type { EmailPane } from '#web/lib/email-pane.ts'

/** The tabs of spec §2. */
const tabs = [
  { pane: 'single', label: 'Single Email' },
  { pane: 'bulk', label: 'Bulk Emails' },
  { pane: 'server', label: 'Server Test' },
] as const satisfies { pane: EmailPane; label: string }[]

interface PaneNavProps {
  pane: EmailPane
  /** Messages that somebody must decide about. */
  unknown: number
  /** Addresses that mail came back from. */
  returned: number
}

/** The three tabs, and beside them what became of the mail. Each is a link: it has an address of its own. */
export function PaneNav({ pane: shown, unknown, returned }: PaneNavProps) {
  return (
    <nav
      aria-label="Email System"
      className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 border-b max-md:flex-col max-md:items-stretch"
    >
      <ul className="flex gap-1 max-md:grid max-md:grid-cols-3">
        {tabs.map(({ pane, label }) => (
          <li key={pane} className="flex">
            <PaneLink pane={pane} shown={shown} className="font-semibold">
              {label}
            </PaneLink>
          </li>
        ))}
      </ul>
      {/* As wide as their words: with its count the second one is wider than half a phone. */}
      <ul className="flex flex-wrap gap-1 max-md:border-t">
        <li className="flex max-md:grow">
          <PaneLink pane="outbox" shown={shown}>
            <Inbox aria-hidden="true" className="size-4 shrink-0" />
            Outbox
            <Count count={unknown} what="to decide about" />
          </PaneLink>
        </li>
        <li className="flex max-md:grow">
          <PaneLink pane="returned" shown={shown}>
            <MailWarning aria-hidden="true" className="size-4 shrink-0" />
            Addresses to fix
            <Count count={returned} what="to see to" />
          </PaneLink>
        </li>
      </ul>
    </nav>
  )
}

interface PaneLinkProps {
  pane: EmailPane
  shown: EmailPane
  className?: string
  children: ReactNode
}

function PaneLink({ pane, shown, className, children }: PaneLinkProps) {
  return (
    <Link
      to={tabPath('email', pane === 'single' ? {} : { pane })}
      aria-current={pane === shown ? 'page' : undefined}
      preventScrollReset
      className={clsx(
        '-mb-px flex min-h-11 grow items-center justify-center gap-2 border-b-2 px-3 text-sm whitespace-nowrap max-md:px-1 -outline-offset-2',
        pane === shown
          ? 'border-primary font-semibold text-primary'
          : 'border-transparent text-muted hover:border-edge hover:text-fg',
        className,
      )}
    >
      {children}
    </Link>
  )
}

/** Nothing to do shows nothing. */
function Count({ count, what }: { count: number; what: string }) {
  if (count === 0) return null
  return (
    <span className="rounded-full bg-warning-soft px-2 py-0.5 text-xs font-semibold text-warning tabular-nums">
      {figureText(count)}
      <span className="sr-only"> {what}</span>
    </span>
  )
}

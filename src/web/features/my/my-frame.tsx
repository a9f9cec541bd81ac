import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { myPath } from '#shared/my/my-path.ts'
import { Button } from '#web/components/button.tsx'
import { useTranslation } from '#web/lib/translation.tsx'

export const linkClass =
  'inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4 hover:text-primary-strong'

interface MyFrameProps {
  title: string
  lead?: string
  /** A page of its own below /my has a link back to it. */
  hasWayBack?: boolean
  /** Each screen of a session has a button that ends it. */
  hasLeave?: boolean
  children: ReactNode
}

/** A page of a student. Its forms are plain posts: they work without scripts. */
export function MyFrame({ title, lead, hasWayBack = false, hasLeave = false, children }: MyFrameProps) {
  const t = useTranslation()
  useEffect(reloadWhenKept, [])
  return (
    <div className="page-width py-8 md:py-12">
      {/* In large text a word of Filipino can be wider than a phone. */}
      <div className="mx-auto flex max-w-2xl flex-col gap-6 wrap-anywhere">
        <header>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <h1 className="text-2xl font-bold tracking-tight">{t(title)}</h1>
            {hasLeave && <ActionButton intent="leave">Leave</ActionButton>}
          </div>
          {lead && <p className="mt-2 text-muted">{t(lead)}</p>}
          {hasWayBack && (
            <Link to={myPath} className={linkClass}>
              {t('Back to My NSTP')}
            </Link>
          )}
        </header>
        {children}
      </div>
    </div>
  )
}

/** Privacy: a page that the browser kept for its Back button is read anew, so that one who left isn't shown. */
function reloadWhenKept() {
  const reload = ({ persisted }: PageTransitionEvent) => {
    if (persisted) window.location.reload()
  }
  window.addEventListener('pageshow', reload)
  return () => window.removeEventListener('pageshow', reload)
}

interface ActionButtonProps {
  intent: string
  id?: string
  variant?: 'primary' | 'outline'
  children: string
}

/** A form of one button. */
export function ActionButton({ intent, id, variant = 'outline', children }: ActionButtonProps) {
  return (
    <form method="post" action={myPath}>
      <input type="hidden" name="intent" value={intent} />
      {id && <input type="hidden" name="id" value={id} />}
      <Button type="submit" variant={variant}>
        {children}
      </Button>
    </form>
  )
}

/** A titled part of a page. */
export function Part({ title, id, children }: { title: string; id: string; children: ReactNode }) {
  const t = useTranslation()
  return (
    <section aria-labelledby={id} className="rounded-box border bg-card p-[min(1rem,5vw)] shadow-card sm:p-6">
      <h2 id={id} className="text-lg font-semibold">
        {t(title)}
      </h2>
      <div className="mt-3 flex flex-col gap-3">{children}</div>
    </section>
  )
}

interface FoldProps {
  title: string
  isOpen?: boolean
  children: ReactNode
}

/** A part that is opened by its title. */
export function Fold({ title, isOpen = false, children }: FoldProps) {
  const t = useTranslation()
  return (
    <details open={isOpen} className="group/fold w-full rounded-box border bg-card px-[min(1rem,4vw)]">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 py-2 font-semibold hover:text-primary [&::-webkit-details-marker]:hidden">
        {t(title)}
        <ChevronDown className="size-5 shrink-0 text-muted transition-transform group-open/fold:rotate-180" />
      </summary>
      <div className="pt-2 pb-4">{children}</div>
    </details>
  )
}

/** Pairs of a name and a value; those without a value are left out. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  const t = useTranslation()
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-sm text-muted">{t(label)}</dt>
            <dd className="font-semibold wrap-anywhere whitespace-pre-line">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** What a restriction means, in the words of both steps. */
export const restrictionWords = {
  blocked: 'Your record is blocked: the office keeps it and does not use it.',
  withdrawn: 'You withdrew your consent: the office keeps only what the law requires.',
} as const

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '#web/lib/translation.tsx'

export function TextPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const t = useTranslation()
  return (
    <article>
      <header className="border-b bg-soft">
        <div className="page-width py-10 md:py-14">
          <h1 className="text-3xl font-bold tracking-tight md:text-4xl">{t(title)}</h1>
          <p className="mt-3 max-w-3xl text-lg text-muted">{t(lead)}</p>
        </div>
      </header>
      <div className="page-width py-10 md:py-14">{children}</div>
    </article>
  )
}

export const textLinkClass = 'font-medium text-primary underline underline-offset-4 hover:text-primary-strong'

export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  const t = useTranslation()
  return (
    <Link to={to} className={`mt-3 inline-flex min-h-11 items-center ${textLinkClass}`}>
      {t(children)}
    </Link>
  )
}

interface TextSectionProps {
  title: string
  paragraphs: readonly string[]
  children?: ReactNode
}

export function TextSection({ title, paragraphs, children }: TextSectionProps) {
  const t = useTranslation()
  return (
    <section className="mt-10">
      <h2 className="text-xl font-bold">{t(title)}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph} className="mt-3">
          {t(paragraph)}
        </p>
      ))}
      {children}
    </section>
  )
}

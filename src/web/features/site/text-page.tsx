import type { ReactNode } from 'react'

export function TextPage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <article>
      <header className="border-b bg-soft">
        <div className="page-width py-10 md:py-14">
          <h1 className="text-3xl font-bold tracking-tight md:text-4xl">{title}</h1>
          <p className="mt-3 max-w-3xl text-lg text-muted">{lead}</p>
        </div>
      </header>
      <div className="page-width py-10 md:py-14">{children}</div>
    </article>
  )
}

export const textLinkClass = 'font-medium text-primary underline underline-offset-4 hover:text-primary-strong'

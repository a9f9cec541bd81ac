import { type ReactNode, useId } from 'react'

/** A titled part of a screen. */
export function Card({ title, lead, children }: { title: ReactNode; lead?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col gap-4 rounded-box border bg-card p-4 shadow-card sm:p-5"
    >
      <div>
        <h2 id={id} className="flex items-center gap-3 text-lg font-semibold">
          {title}
        </h2>
        {lead && <p className="mt-1 text-sm text-muted">{lead}</p>}
      </div>
      {children}
    </section>
  )
}

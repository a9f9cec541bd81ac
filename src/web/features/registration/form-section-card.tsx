import type { ReactNode } from 'react'

interface FormSectionCardProps {
  id: string
  title: string
  /** Its place among the sections; the consent has none. */
  number?: number
  isRequired: boolean
  /** What to know before filling it in. */
  lead?: ReactNode
  children: ReactNode
}

/** One section of the form, always open, so that no field with a problem can hide in it. */
export function FormSectionCard({ id, title, number, isRequired, lead, children }: FormSectionCardProps) {
  return (
    <section
      id={`section-${id}`}
      aria-labelledby={`section-${id}-title`}
      className="scroll-mt-20 rounded-box border bg-card p-4 shadow-card sm:p-6 lg:scroll-mt-6"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={`section-${id}-title`} className="text-lg font-bold tracking-tight sm:text-xl">
          {number !== undefined && <span className="text-muted tabular-nums">{number}. </span>}
          {title}
        </h2>
        {!isRequired && <span className="text-sm font-semibold text-muted">Optional</span>}
      </div>
      {lead && <div className="mt-1 text-sm text-muted">{lead}</div>}
      <div className="mt-5">{children}</div>
    </section>
  )
}

import { type ReactNode, useId, useRef } from 'react'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { ConflictNotice } from './conflict-notice.tsx'
import type { Section } from './use-section.ts'

/** A part of the settings screen under its heading. */
export function Card({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-box border bg-card p-4 shadow-card sm:p-5">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {lead && <p className="mt-1 text-sm text-muted">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}

interface SectionCardProps {
  title: string
  lead?: ReactNode
  section: Section
  children: ReactNode
}

/** A part of the settings that is saved by itself. After a refusal the focus is at the first field to mend. */
export function SectionCard({ title, lead, section, children }: SectionCardProps) {
  const form = useRef<HTMLFormElement>(null)
  const { isUnsaved, isSaving, failure, conflicts } = section
  const focusSave = () => form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()

  async function submit() {
    await section.save()
    // The errors come with the next render.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }

  return (
    <Card title={title} lead={lead}>
      <form
        ref={form}
        noValidate
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        className="flex flex-col gap-4"
      >
        {children}
        {conflicts.length > 0 && <ConflictNotice section={section} onChosen={focusSave} />}
        {failure && <ErrorBanner message={`Not saved. ${failure}`} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" size="sm" aria-disabled={!isUnsaved || isSaving || conflicts.length > 0}>
            {isSaving ? 'Saving…' : 'Save'}
          </Button>
          {isUnsaved && (
            <>
              <Button
                variant="ghost"
                size="sm"
                disabled={isSaving}
                onClick={() => {
                  section.discard()
                  // This button goes away.
                  focusSave()
                }}
              >
                Discard changes
              </Button>
              <span className="text-sm text-muted">Not saved yet</span>
            </>
          )}
        </div>
      </form>
    </Card>
  )
}

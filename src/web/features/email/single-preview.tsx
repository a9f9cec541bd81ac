import { Eye } from 'lucide-react'
import { useId } from 'react'
import { EmptyState } from '#web/components/empty-state.tsx'
import { MessageView } from '#web/components/message-view.tsx'
import { usePreview } from './use-preview.ts'

/** What the recipient will read, beside the form. */
export function SinglePreview({ subject, message }: { subject: string; message: string }) {
  const titleId = useId()
  const preview = usePreview(subject, message)
  return (
    <section
      aria-labelledby={titleId}
      className="flex min-w-0 flex-col gap-3 rounded-box border bg-card p-4 shadow-card sm:p-5"
    >
      <h2 id={titleId} className="text-lg font-semibold">
        Preview
      </h2>
      {preview?.failure && <p className="text-sm font-medium text-danger">{preview.failure}</p>}
      {preview?.rendered ? (
        <MessageView {...preview.rendered} subject={preview.rendered.subject || 'No subject yet'} />
      ) : (
        <EmptyState icon={<Eye className="size-8" />} title="Nothing to show yet">
          The message appears here as its recipient will read it.
        </EmptyState>
      )}
    </section>
  )
}

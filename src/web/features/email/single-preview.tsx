import { Eye } from 'lucide-react'
import { useId } from 'react'
import { isBlank } from '#shared/field-rules.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { MessageView } from '#web/components/message-view.tsx'
import { useMailPreview } from '#web/lib/mail-preview.ts'

/** What the recipient will read, beside the form. */
export function SinglePreview({ subject, message }: { subject: string; message: string }) {
  const titleId = useId()
  // As text, which is how the form sends it.
  const request = isBlank(message) ? null : { subject, message, format: 'text' as const }
  const { preview, failure, retry } = useMailPreview(request)
  return (
    <section
      aria-labelledby={titleId}
      className="flex min-w-0 flex-col gap-3 rounded-box border bg-card p-4 shadow-card sm:p-5"
    >
      <h2 id={titleId} className="text-lg font-semibold">
        Preview
      </h2>
      {failure !== null && <ErrorBanner message={failure} onRetry={retry} />}
      {preview ? (
        <MessageView {...preview} subject={preview.subject || 'No subject yet'} />
      ) : (
        <EmptyState icon={<Eye className="size-8" />} title="Nothing to show yet">
          The message appears here as its recipient will read it.
        </EmptyState>
      )}
    </section>
  )
}

import { useId, useState } from 'react'
import { announcementLimits } from '#shared/announcements.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { FormattingHelp } from '#web/components/formatting-help.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { TextAreaField } from '#web/components/text-field.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { lengthHint } from '#web/lib/length-hint.ts'
import { AnnouncementText } from './announcement-text.tsx'
import { contentId } from './use-announcement-form.ts'

interface ContentFieldProps {
  value: string
  error: string | undefined
  onChange: (content: string) => void
}

type Preview = { html: string } | { failure: string } | 'reading'

/** A preview, and the content that it is of. */
interface Previewed {
  content: string
  preview: Preview
}

/** The text of an announcement, with help for its formatting and a preview of it. */
export function ContentField({ value, error, onChange }: ContentFieldProps) {
  const [previewed, setPreviewed] = useState<Previewed | null>(null)
  const previewId = useId()
  // Of what stands there now: an answer that comes after more was typed is of something else.
  const preview = previewed?.content === value ? previewed.preview : null

  async function show() {
    setPreviewed({ content: value, preview: 'reading' })
    const rendered = await render(value)
    setPreviewed((shown) => (shown?.content === value ? { content: value, preview: rendered } : shown))
  }

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TextAreaField
        id={contentId}
        name="content"
        label="Content"
        required
        density="compact"
        rows={12}
        value={value}
        error={error}
        hint={lengthHint(value, announcementLimits.content)}
        onChange={({ target }) => {
          onChange(target.value)
          setPreviewed(null)
        }}
      />
      <div>
        <Button
          variant="outline"
          size="sm"
          aria-expanded={preview !== null}
          aria-controls={previewId}
          disabled={value.trim() === ''}
          onClick={() => (preview === null ? void show() : setPreviewed(null))}
        >
          {preview === null ? 'Preview' : 'Hide preview'}
        </Button>
      </div>
      <div id={previewId} aria-live="polite" className="empty:sr-only">
        {preview !== null && <PreviewPanel preview={preview} />}
      </div>
      <FormattingHelp />
    </div>
  )
}

function PreviewPanel({ preview }: { preview: Preview }) {
  if (preview === 'reading') return <Skeleton className="h-24" />
  if ('failure' in preview) return <ErrorBanner message={preview.failure} />
  return (
    <section aria-label="Preview" className="rounded-box border bg-bg p-4">
      <AnnouncementText html={preview.html} />
    </section>
  )
}

/** The server formats: what is shown here is what visitors will see. */
async function render(content: string): Promise<Preview> {
  try {
    const { contentHtml } = await callApi(api.announcements.preview.$post({ json: { content } }))
    return { html: contentHtml }
  } catch (error) {
    return { failure: sentenceOf(error) }
  }
}

import { type SyntheticEvent, useEffect, useState } from 'react'
import { mailSentences } from '#shared/mail/mail.ts'
import type { MailPreviewRequest } from '#shared/mail/mail-preview.ts'
import type { MailPreview } from '#shared/mail/mail-response.ts'
import { singleEmailSentences } from '#shared/mail/single-email.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { runAfter } from '#web/lib/timers.ts'

const shapes = [
  { value: 'html', label: 'Formatted' },
  { value: 'text', label: 'Plain text' },
] as const

export function MessageView({ subject, html, text }: { subject: string; html: string; text: string }) {
  const [shape, setShape] = useState<'html' | 'text'>('html')
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="min-w-0 text-sm">
          <span className="block text-muted">Subject</span>
          <strong className="font-semibold wrap-anywhere">{subject}</strong>
        </p>
        <ChoiceButtons legend="Shown as" choices={shapes} selected={shape} onSelect={setShape} />
      </div>
      {shape === 'html' ? (
        <HtmlFrame html={html} />
      ) : (
        <pre className="rounded-box border bg-bg p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
          {text}
        </pre>
      )}
    </div>
  )
}

const leastHeight = 160

/**
 * An HTML document in a frame as high as its content. Security: sandboxed without scripts, forms,
 * pop-ups and navigation, and the page's CSP applies. It has the page's origin only so that its
 * height can be read and pictures of this site load.
 */
function HtmlFrame({ html }: { html: string }) {
  const [height, setHeight] = useState(leastHeight)

  function fit({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) {
    const body = currentTarget.contentDocument?.body
    if (!body) return
    // Measured in a low frame: a document is at least as high as its frame.
    currentTarget.style.height = `${leastHeight}px`
    const contentHeight = Math.max(
      leastHeight,
      currentTarget.contentDocument?.documentElement.scrollHeight ?? 0,
    )
    currentTarget.style.height = `${contentHeight}px`
    setHeight(contentHeight)
  }

  return (
    <iframe
      title="The formatted message"
      sandbox="allow-same-origin"
      srcDoc={html}
      onLoad={fit}
      style={{ height }}
      // Mail is designed for a white background, also in dark mode.
      className="block w-full rounded-box border bg-white scheme-light"
    />
  )
}

// Debounce, in ms.
const debounceMs = 400

/**
 * Rendered by the server, so the preview equals the mail. Debounced; the last preview stays while a newer one is loading or
 * has failed. @param message null for no preview
 */
export function useMailPreview(message: MailPreviewRequest | null) {
  const [preview, setPreview] = useState<MailPreview | null>(null)
  const [failed, setFailed] = useState<{ key: string; sentence: string } | null>(null)
  const [tries, setTries] = useState(0)
  const key = JSON.stringify(message)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is previewed
  useEffect(() => {
    if (message === null) return
    return runAfter(debounceMs, async (signal) => {
      try {
        const made = await callApi(api.mail.preview.$post({ json: message }, { init: { signal } }))
        // The body may have arrived just before the abort.
        if (signal.aborted) return
        setPreview(made)
        setFailed(null)
      } catch (error) {
        if (!signal.aborted) setFailed({ key, sentence: sentenceOf(error) })
      }
    })
  }, [key, tries])

  return {
    preview: message && preview,
    failure: failed?.key === key ? failed.sentence : null,
    retry: () => setTries((count) => count + 1),
  }
}

/** For failures of the server and of the connection. */
export function singleMailFailure(error: unknown): string {
  // A response that isn't the API's came from a proxy.
  if (!(error instanceof ApiProblem)) return singleEmailSentences.failed(mailSentences.invalidResponse)
  const { code, detail } = error.problem
  // The server's message is complete, also for an unknown result.
  const isWhole = code === 'not_sent' || detail.startsWith(mailSentences.failedToSend)
  return isWhole ? detail : singleEmailSentences.failed(detail)
}

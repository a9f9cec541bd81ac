import { clsx } from 'clsx'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { mailSentences } from '#shared/mail/mail.ts'
import type { MailPreview, MailPreviewRequest } from '#shared/mail/mail-preview.ts'
import { singleEmailSentences } from '#shared/mail/single-email.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'

interface MessageViewProps {
  subject: string
  /** The message in its two shapes, as a mail program gets it. */
  html: string
  text: string
}

const shapes = [
  { value: 'html', label: 'Formatted' },
  { value: 'text', label: 'Plain text' },
] as const

/** A message as its recipient reads it: formatted, or in a reader that shows plain text only. */
export function MessageView({ subject, html, text }: MessageViewProps) {
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
        <HtmlFrame title="The formatted message" html={html} />
      ) : (
        <pre className="rounded-box border bg-bg p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap">
          {text}
        </pre>
      )}
    </div>
  )
}

/** Room for a few lines, until the content is measured. */
const leastHeight = 160

interface HtmlFrameProps {
  /** What is in the frame, for screen readers. */
  title: string
  /** A whole document. */
  html: string
  className?: string
}

/**
 * Shows an HTML document in a frame as high as its content. It is inert: no scripts, forms, pop-ups or navigation,
 * and the page's own policy holds for it too. It keeps the page's origin only so that its height can be read and
 * pictures of this site are shown.
 */
function HtmlFrame({ title, html, className }: HtmlFrameProps) {
  const [height, setHeight] = useState(leastHeight)

  function fit({ currentTarget }: SyntheticEvent<HTMLIFrameElement>) {
    const body = currentTarget.contentDocument?.body
    if (!body) return
    // Measured while the frame is low: a document is never lower than its frame.
    currentTarget.style.height = `${leastHeight}px`
    const wanted = Math.max(leastHeight, currentTarget.contentDocument?.documentElement.scrollHeight ?? 0)
    currentTarget.style.height = `${wanted}px`
    setHeight(wanted)
  }

  return (
    <iframe
      title={title}
      sandbox="allow-same-origin"
      srcDoc={html}
      onLoad={fit}
      style={{ height }}
      // Mail is written for white paper, whatever the page's scheme.
      className={clsx('block w-full rounded-box border bg-white scheme-light', className)}
    />
  )
}

/** How long the typing rests before the preview is made anew, in milliseconds. */
const restMs = 400

/** A message as its recipient would read it, made by the server: what is shown is what is sent. */
interface MailPreviewReading {
  /** The newest one, also while a newer is on its way or could not be made; null while nothing can be shown. */
  preview: MailPreview | null
  /** Why the newest could not be made. */
  failure: string | null
  retry: () => void
}

/** Reads the preview of a message calmly while somebody types. @param message null while there is nothing to show */
export function useMailPreview(message: MailPreviewRequest | null): MailPreviewReading {
  const [preview, setPreview] = useState<MailPreview | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const key = JSON.stringify(message)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is previewed
  useEffect(() => {
    if (message === null) return
    const turn = new AbortController()
    const timer = setTimeout(() => {
      callApi(api.mail.preview.$post({ json: message }, { init: { signal: turn.signal } })).then(
        (made) => {
          // Its body may have come just before it was turned away.
          if (turn.signal.aborted) return
          setPreview(made)
          setFailure(null)
        },
        (error: unknown) => {
          if (!turn.signal.aborted) setFailure(sentenceOf(error))
        },
      )
    }, restMs)
    return () => {
      clearTimeout(timer)
      turn.abort()
    }
  }, [key, tries])

  return {
    preview: message && preview,
    failure: message && failure,
    retry: () => setTries((count) => count + 1),
  }
}

/** What the person reads when a mail to one person was not sent (spec §8), whoever said why. */
export function singleMailFailure(error: unknown): string {
  // Whatever was no answer of ours came from something between.
  if (!(error instanceof ApiProblem)) return singleEmailSentences.failed(mailSentences.invalidResponse)
  const { code, detail } = error.problem
  // The server's word on the mail is whole: also that nobody knows.
  const isWhole = code === 'not_sent' || detail.startsWith(mailSentences.failedToSend)
  return isWhole ? detail : singleEmailSentences.failed(detail)
}

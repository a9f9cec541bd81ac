import { useState } from 'react'
import { ChoiceButtons } from './choice-buttons.tsx'
import { HtmlFrame } from './html-frame.tsx'

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

import { type MouseEvent, useEffect, useRef } from 'react'
import { useTranslation } from '#web/lib/translation.tsx'

interface RestoredNoticeProps {
  /** What a reload, or another visit, brought back. */
  restored: 'answers' | 'waiting' | undefined
  /** They were asked for by a button that is gone: the notice takes its focus. */
  isFocused: boolean
  onStartOver: () => void
}

const texts = {
  answers: {
    sentence: 'Your answers are back. If they are not yours, start over.',
    link: 'Start over',
    question: 'Delete these answers and start over?',
  },
  waiting: {
    sentence:
      'This enlistment was submitted, but not confirmed. It is on this device until it is sent, for up to 24 hours.',
    link: 'Discard it',
    question: 'Discard this enlistment? It may not have reached the NSTP office.',
  },
} as const

export function RestoredNotice({ restored, isFocused, onStartOver }: RestoredNoticeProps) {
  const t = useTranslation()
  const notice = useRef<HTMLParagraphElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time answers are brought back
  useEffect(() => {
    if (isFocused) notice.current?.focus()
  }, [restored, isFocused])
  if (restored === undefined) return null
  const { sentence, link, question } = texts[restored]

  function startOver(event: MouseEvent) {
    if (window.confirm(t(question))) onStartOver()
    else event.preventDefault()
  }

  return (
    <p
      ref={notice}
      role="status"
      tabIndex={-1}
      className="mt-4 max-w-3xl rounded-box border bg-soft px-4 py-2"
    >
      {t(sentence)} {/* A document load: the new form has a key of its own. */}
      <a
        href="/register"
        onClick={startOver}
        className="-my-2.5 inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
      >
        {t(link)}
      </a>
    </p>
  )
}

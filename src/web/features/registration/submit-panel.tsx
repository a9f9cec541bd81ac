import { TriangleAlert, WifiOff } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Button } from '#web/components/button.tsx'
import { useTranslation } from '#web/lib/translation.tsx'
import { revealStep } from './form-progress.tsx'
import { registrationSentences } from './registration-texts.tsx'
import type { FailedSend } from './use-enlistment.ts'

interface SubmitPanelProps {
  isSending: boolean
  failed: FailedSend | undefined
  onStartOver?: (() => void) | undefined
}

export function SubmitPanel({ isSending, failed, onStartOver }: SubmitPanelProps) {
  const isOnline = useOnline()
  const t = useTranslation()
  return (
    <div data-steps="review" className="flex flex-col gap-4">
      {failed && failed.resendMs === undefined && (
        <FailedSendPanel failed={failed} onStartOver={onStartOver} />
      )}
      {failed?.resendMs !== undefined && <OfflineNotice sentence={failed.sentence} isFocused />}
      {!isOnline && !failed && (
        <OfflineNotice sentence="You are offline. Your answers stay here. Submit them: we’ll send them as soon as you’re back online." />
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:gap-5">
        <Button type="submit" size="lg" disabled={isSending && !failed} className="w-full sm:w-auto">
          {buttonLabel({ isSending, failed })}
        </Button>
        <p className="text-sm text-muted stepped:hidden">{t('You’ll get a reference code. Keep it.')}</p>
      </div>
    </div>
  )
}

function buttonLabel({ isSending, failed }: SubmitPanelProps): string {
  if (isSending) return registrationSentences.sending
  if (failed?.resendMs !== undefined) return 'Try now'
  return failed?.canRetry ? 'Try again' : 'Submit registration'
}

function OfflineNotice({ sentence, isFocused = false }: { sentence: string; isFocused?: boolean }) {
  const notice = useRef<HTMLParagraphElement>(null)
  const t = useTranslation()

  // The pressed button was disabled and lost the focus.
  useEffect(() => {
    if (isFocused) notice.current?.focus()
  }, [isFocused])

  return (
    <p
      ref={notice}
      role="status"
      tabIndex={-1}
      className="flex items-start gap-3 rounded-box bg-warning-soft px-4 py-3 text-warning outline-hidden"
    >
      <WifiOff className="mt-0.5 size-5 shrink-0" />
      {t(sentence)}
    </p>
  )
}

function FailedSendPanel({
  failed,
  onStartOver,
}: Pick<SubmitPanelProps, 'onStartOver'> & { failed: FailedSend }) {
  const { sentence, canRetry } = failed
  const t = useTranslation()
  const title = useRef<HTMLHeadingElement>(null)

  // The pressed button was disabled and lost the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each failure
  useEffect(() => {
    revealStep(title.current, 'step-review')
    title.current?.focus()
  }, [failed])

  return (
    <section
      aria-labelledby="failed-send-title"
      className="rounded-box border border-danger bg-danger-soft px-4 py-4 sm:px-6"
    >
      <h2
        ref={title}
        id="failed-send-title"
        tabIndex={-1}
        className="flex items-start gap-2 font-bold text-danger outline-hidden"
      >
        <TriangleAlert className="mt-0.5 size-5 shrink-0" />
        {t(canRetry ? 'Your registration was not confirmed' : 'This form was not registered')}
      </h2>
      <p className="mt-1.5">{t(registrationSentences.failed(sentence))}</p>
      {canRetry ? (
        <p className="mt-1.5 text-sm text-muted">
          {t('Everything you typed is still here. Trying again never registers you twice.')}
        </p>
      ) : (
        // A fresh page: the new form must have a key of its own.
        <a
          href="/register"
          onClick={onStartOver}
          className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
        >
          {t('Start a new form for someone else')}
        </a>
      )}
    </section>
  )
}

function subscribe(onChange: () => void) {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}

function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
}

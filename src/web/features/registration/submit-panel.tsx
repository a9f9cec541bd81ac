import { TriangleAlert, WifiOff } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Button } from '#web/components/button.tsx'
import { registrationSentences } from './registration-sentences.ts'
import type { FailedSend } from './use-enlistment.ts'

interface SubmitPanelProps {
  isSending: boolean
  failed: FailedSend | undefined
}

export function SubmitPanel({ isSending, failed }: SubmitPanelProps) {
  const isOnline = useOnline()
  return (
    <div className="flex flex-col gap-4">
      {failed && <FailedSendPanel failed={failed} />}
      {!isOnline && !failed && (
        <p
          role="status"
          className="flex items-start gap-3 rounded-box bg-warning-soft px-4 py-3 text-warning"
        >
          <WifiOff aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          You are offline. Your answers stay here; you can submit them when you are back online.
        </p>
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:gap-5">
        <Button type="submit" size="lg" disabled={isSending} className="w-full sm:w-auto">
          {buttonLabel({ isSending, failed })}
        </Button>
        <p className="text-sm text-muted">You get a reference code at once. Keep it.</p>
      </div>
    </div>
  )
}

function buttonLabel({ isSending, failed }: SubmitPanelProps): string {
  if (isSending) return registrationSentences.sending
  return failed?.canRetry ? 'Try again' : 'Submit registration'
}

function FailedSendPanel({ failed }: { failed: FailedSend }) {
  const { sentence, canRetry } = failed
  const title = useRef<HTMLHeadingElement>(null)

  // The button that was pressed was disabled meanwhile, and the keyboard's place with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each failure anew
  useEffect(() => {
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
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        {canRetry ? 'Your registration was not confirmed' : 'These answers were not registered'}
      </h2>
      <p className="mt-1.5">{registrationSentences.failed(sentence)}</p>
      {canRetry ? (
        <p className="mt-1.5 text-sm text-muted">
          Everything you typed is still here. Trying again never registers you twice.
        </p>
      ) : (
        // A fresh page: the new form must have a key of its own.
        <a
          href="/register"
          className="inline-flex min-h-11 items-center font-semibold text-primary underline underline-offset-4"
        >
          Start a new form for somebody else
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

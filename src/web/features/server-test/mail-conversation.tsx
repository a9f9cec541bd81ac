import { KeyRound, Plug, Send } from 'lucide-react'
import { type ServerTestStep, serverTestSteps } from '#shared/server-test.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { ConversationLog } from './conversation-log.tsx'
import { useMailConversation } from './use-mail-conversation.ts'

const steps: Record<ServerTestStep, { label: string; does: string; Icon: typeof Plug }> = {
  connect: { label: 'Connect', does: 'Connecting to the mail server…', Icon: Plug },
  authenticate: { label: 'Authenticate', does: 'Signing in at the mail server…', Icon: KeyRound },
  send: { label: 'Send to myself', does: 'Sending a test e-mail…', Icon: Send },
}

interface MailConversationProps {
  /** Null while that is being read. */
  isConfigured: boolean | null
}

/** Tries the configured mail server step by step, and shows what it says. */
export function MailConversation({ isConfigured }: MailConversationProps) {
  const { running, result, failure, run } = useMailConversation()
  return (
    <section
      aria-labelledby="mail-conversation"
      className="rounded-box border bg-card p-4 shadow-card sm:p-5"
    >
      <h2 id="mail-conversation" className="text-lg font-semibold">
        Mail Server
      </h2>
      <p className="mt-1 text-sm text-muted">
        {isConfigured !== false
          ? 'Each step also does what the ones before it do. “Send to myself” sends a test e-mail to the sender’s own address.'
          : 'E-mail is not configured. Configure it first, then try the mail server here.'}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        {serverTestSteps.map((step) => {
          const { label, Icon } = steps[step]
          return (
            <Button
              key={step}
              variant="outline"
              size="sm"
              className="max-md:min-h-11"
              icon={<Icon aria-hidden="true" className="size-4" />}
              disabled={!isConfigured}
              aria-disabled={running !== null}
              onClick={() => void run(step)}
            >
              {label}
            </Button>
          )
        })}
      </div>
      <div aria-live="polite" className="mt-4 empty:hidden">
        {running && (
          <div className="flex flex-col gap-3">
            <p className="text-sm text-muted">{steps[running].does}</p>
            <Skeleton className="h-40" />
          </div>
        )}
        {!running && failure && (
          <ErrorBanner message={failure.sentence} onRetry={() => void run(failure.step)} />
        )}
        {!running && result && <ConversationLog result={result} />}
      </div>
    </section>
  )
}

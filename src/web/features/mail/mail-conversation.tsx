import { clsx } from 'clsx'
import { CircleCheck, CircleX, ExternalLink, KeyRound, Plug, Send } from 'lucide-react'
import { serverTestSteps } from '#shared/mail/mail.ts'
import type { ConversationLine, ServerTestResult, ServerTestStep } from '#shared/mail/mail-response.ts'
import { ButtonLink, SmallButton } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Hint } from '#web/components/hint.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { callApi, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { useEmailFrame } from './email-data.ts'
import { ServerStatusCard } from './server-status.tsx'

const steps: Record<ServerTestStep, { label: string; does: string; Icon: typeof Plug }> = {
  connect: { label: 'Connect', does: 'Connecting to the mail server…', Icon: Plug },
  authenticate: { label: 'Authenticate', does: 'Signing in to the mail server…', Icon: KeyRound },
  send: { label: 'Send to myself', does: 'Sending a test e-mail…', Icon: Send },
}

export function ServerTest() {
  return (
    <div className="flex flex-col gap-4">
      <ServerStatusCard />
      <MailConversation />
      <nav aria-label="Test pages" className="flex flex-wrap gap-2">
        {[
          { to: '/server-test', label: 'Server status on its own page' },
          { to: '/email-test', label: 'Mail server on its own page' },
        ].map(({ to, label }) => (
          <ButtonLink key={to} to={to} variant="ghost" size="sm" icon={ExternalLink}>
            {label}
          </ButtonLink>
        ))}
      </nav>
    </div>
  )
}

export function MailConversation() {
  const isConfigured = useEmailFrame().data?.status.isConfigured
  const test = useAction({
    topics: ['mail', 'mail-account'],
    mutationFn: (step: ServerTestStep) => callApi(slowApi.mail['server-test'].$post({ json: { step } })),
  })
  const { isPending, error, data, variables: step = 'connect' } = test
  return (
    <Card
      title="Mail Server"
      lead={
        isConfigured !== false
          ? 'Each test includes the previous ones. “Send to myself” sends a test e-mail to the sender address.'
          : 'E-mail is not configured. Configure it first, then test it here.'
      }
    >
      <div className="flex flex-wrap gap-2">
        {serverTestSteps.map((step) => {
          const { label, Icon } = steps[step]
          return (
            <SmallButton
              key={step}
              icon={Icon}
              disabled={!isConfigured}
              aria-disabled={isPending}
              onClick={() => test.run(step)}
            >
              {label}
            </SmallButton>
          )
        })}
      </div>
      <div aria-live="polite" className="empty:hidden">
        {isPending && (
          <div className="flex flex-col gap-3">
            <Hint>{steps[step].does}</Hint>
            <Skeleton className="h-40" />
          </div>
        )}
        {error && <ErrorBanner message={sentenceOf(error)} onRetry={() => test.run(step)} />}
        {data && <ConversationLog result={data} />}
      </div>
    </Card>
  )
}

const speakers: Record<ConversationLine['by'], { mark: string; name: string; tone: string }> = {
  client: { mark: 'C:', name: 'This server', tone: 'text-info' },
  server: { mark: 'S:', name: 'Mail server', tone: 'text-fg' },
  note: { mark: '*', name: 'Note', tone: 'text-muted' },
}

function ConversationLog({ result }: { result: ServerTestResult }) {
  const { ok, verdict, lines, tookMs } = result
  const Icon = ok ? CircleCheck : CircleX
  return (
    <div className="flex flex-col gap-3">
      <p
        className={clsx(
          'flex items-start gap-2 font-medium wrap-anywhere',
          ok ? 'text-success' : 'text-danger',
        )}
      >
        <Icon className="mt-0.5 size-5 shrink-0" />
        <span className="min-w-0">{verdict}</span>
      </p>
      <section
        aria-label="Conversation with the mail server"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className="max-h-96 overflow-y-auto rounded-box border bg-soft p-3 font-mono text-xs leading-relaxed"
      >
        <ol>
          {lines.map(({ by, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a conversation never change places
            <li key={index} className={clsx('flex gap-2', speakers[by].tone)}>
              <span className="w-5 shrink-0 select-none" title={speakers[by].name}>
                {speakers[by].mark}
              </span>
              <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{text}</span>
            </li>
          ))}
        </ol>
      </section>
      <Hint>C: this server, S: the mail server. Passwords are hidden. Took {figureText(tookMs)} ms.</Hint>
    </div>
  )
}

import { clsx } from 'clsx'
import { CircleCheck, CircleX } from 'lucide-react'
import type { ConversationLine, ServerTestResult } from '#shared/server-test.ts'
import { figureText } from '#web/lib/count-text.ts'

const speakers: Record<ConversationLine['by'], { mark: string; name: string; tone: string }> = {
  client: { mark: 'C:', name: 'This server', tone: 'text-info' },
  server: { mark: 'S:', name: 'Mail server', tone: 'text-fg' },
  note: { mark: '*', name: 'Note', tone: 'text-muted' },
}

/** What a step came to, and the conversation behind it. */
export function ConversationLog({ result }: { result: ServerTestResult }) {
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
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
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
      <p className="text-sm text-muted">
        C: this server, S: the mail server. Passwords are left out. It took {figureText(tookMs)} ms.
      </p>
    </div>
  )
}

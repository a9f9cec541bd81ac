import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { type MailState, mailKindTexts, mailSentences, mailStateTexts } from '#shared/mail/mail.ts'
import type { MailItem } from '#shared/mail/mail-response.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { Hint } from '#web/components/hint.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, reading } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { mailTones } from './outbox-data.ts'

export function StudentMailSection({ studentId: id }: { studentId: string }) {
  const client = useQueryClient()
  const queryKey = ['mail', 'student', id] as const
  const query = useQuery({
    queryKey,
    meta: { topics: ['students'] },
    queryFn: reading(api.students[':id'].mail.$get, { param: { id } }),
  })
  const sending = useAction({
    topics: ['mail'],
    mutationFn: () => callApi(api.students[':id']['welcome-mail'].$post({ param: { id } })),
    onSuccess: ({ state, failure: reason }) => sayOutcome(state, reason),
    onError,
  })
  const choosing = useAction({
    topics: ['mail'],
    mutationFn: (announcements: boolean) =>
      callApi(api.students[':id'].mail.$put({ param: { id }, json: { announcements } })),
    onSuccess: (changed) => client.setQueryData(queryKey, changed),
    onError,
  })
  const isBusy = sending.isPending || choosing.isPending
  return (
    <section>
      <h3 className="border-b pb-1 font-semibold text-primary">E-mail</h3>
      <div className="mt-3 grid gap-3">
        <LoadedPart query={query} what="the student's e-mail" lines={1} className="h-16">
          {(mail) => (
            <>
              {mail.messages.length === 0 ? (
                <p className="text-muted">No e-mails to this student yet.</p>
              ) : (
                <ul className="divide-y rounded-box border">
                  {mail.messages.map((message) => (
                    <MessageItem key={message.id} message={message} />
                  ))}
                </ul>
              )}
              <div className="flex flex-wrap items-center justify-between gap-3">
                <label className="flex min-h-11 items-center gap-3">
                  <input
                    type="checkbox"
                    className="size-5 accent-primary"
                    checked={!mail.optedOut}
                    aria-disabled={isBusy}
                    onChange={({ currentTarget }) => isBusy || choosing.run(currentTarget.checked)}
                  />
                  Announcements by e-mail
                </label>
                <SmallButton
                  className="max-sm:w-full"
                  icon={Mail}
                  aria-disabled={isBusy}
                  onClick={() => isBusy || sending.run()}
                >
                  {sending.isPending ? 'Sending…' : sendLabel(mail.messages)}
                </SmallButton>
              </div>
            </>
          )}
        </LoadedPart>
      </div>
    </section>
  )
}

function onError(error: Error) {
  showToast('error', sentenceOf(error))
}

function sayOutcome(state: MailState, reason: string) {
  if (state === 'sent') return showToast('success', mailSentences.sent)
  if (state === 'queued' || state === 'sending')
    return showToast('info', `The e-mail is in the outbox. ${reason}`.trim())
  return showToast('error', [mailSentences.failedToSendWelcome, reason].filter(Boolean).join(': '))
}

function sendLabel(messages: readonly MailItem[]): string {
  return messages.some(({ kind }) => kind === 'welcome') ? 'Resend welcome e-mail' : 'Send welcome e-mail'
}

function MessageItem({ message }: { message: MailItem }) {
  const { momentOf } = useInstantTexts()
  const { kind, subject, state, createdAt, endedAt, failure } = message
  return (
    <li className="grid gap-1 px-3 py-2.5">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium wrap-anywhere">{subject}</p>
        <Badge tone={mailTones[state]}>{mailStateTexts[state]}</Badge>
      </div>
      <Hint>
        {mailKindTexts[kind]} · {momentOf(endedAt ?? createdAt)}
      </Hint>
      {failure !== '' && <p className="text-sm wrap-anywhere">{failure}</p>}
    </li>
  )
}

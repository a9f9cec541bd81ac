import { Mail } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { mailKindTexts, mailSentences, mailStateTexts } from '#shared/mail/mail.ts'
import type { StudentMail, StudentMailItem } from '#shared/mail/mail-response.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { mailTones } from './outbox-data.ts'

export function StudentMailSection({ studentId }: { studentId: string }) {
  const { mail, failure, busy, reload, resend, choose } = useStudentMail(studentId)
  return (
    <section>
      <h3 className="border-b pb-1 font-semibold text-primary">E-mail</h3>
      <div className="mt-3 grid gap-3">
        {failure !== null && <ErrorBanner message={failure} onRetry={reload} />}
        {mail === null && failure === null && <MailSkeleton />}
        {mail && (
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
              <AnnouncementsSwitch checked={!mail.optedOut} isBusy={busy !== null} onChange={choose} />
              <Button
                variant="outline"
                size="sm"
                className="max-sm:min-h-11 max-sm:w-full"
                icon={<Mail aria-hidden="true" className="size-4" />}
                aria-disabled={busy !== null}
                onClick={() => void resend()}
              >
                {busy === 'resend' ? 'Sending…' : sendLabel(mail.messages)}
              </Button>
            </div>
          </>
        )}
      </div>
    </section>
  )
}

function sendLabel(messages: readonly StudentMailItem[]): string {
  return messages.some(({ kind }) => kind === 'welcome') ? 'Resend welcome e-mail' : 'Send welcome e-mail'
}

function MessageItem({ message }: { message: StudentMailItem }) {
  const { momentOf } = useInstantTexts()
  const { kind, subject, state, createdAt, endedAt, failure } = message
  return (
    <li className="grid gap-1 px-3 py-2.5">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium wrap-anywhere">{subject}</p>
        <Badge tone={mailTones[state]}>{mailStateTexts[state]}</Badge>
      </div>
      <p className="text-sm text-muted">
        {mailKindTexts[kind]} · {momentOf(endedAt ?? createdAt)}
      </p>
      {failure !== '' && <p className="text-sm wrap-anywhere">{failure}</p>}
    </li>
  )
}

interface AnnouncementsSwitchProps {
  checked: boolean
  isBusy: boolean
  onChange: (announcements: boolean) => Promise<void>
}

function AnnouncementsSwitch({ checked, isBusy, onChange }: AnnouncementsSwitchProps) {
  const id = useId()
  return (
    <label htmlFor={id} className="flex min-h-11 items-center gap-3">
      <input
        id={id}
        type="checkbox"
        className="size-5 accent-primary"
        checked={checked}
        aria-disabled={isBusy}
        onChange={({ currentTarget }) => void onChange(currentTarget.checked)}
      />
      Announcements by e-mail
    </label>
  )
}

function MailSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the student's e-mail</span>
      <Skeleton className="h-16" />
    </div>
  )
}

function useStudentMail(id: string) {
  const [mail, setMail] = useState<StudentMail | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [reloads, setReloads] = useState(0)
  const [busy, setBusy] = useState<'resend' | 'announcements' | null>(null)
  const reload = () => setReloads((count) => count + 1)
  useLiveTopics(['mail', 'students'], reload)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a reload reads again
  useEffect(() => {
    const controller = new AbortController()
    readStudentMail(id, controller.signal).then(
      (read) => {
        setMail(read)
        setFailure(null)
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setFailure(sentenceOf(error))
      },
    )
    return () => controller.abort()
  }, [id, reloads])

  async function run(what: 'resend' | 'announcements', work: () => Promise<void>) {
    if (busy !== null) return
    setBusy(what)
    try {
      await work()
    } catch (error) {
      showToast({ type: 'error', message: sentenceOf(error) })
    }
    reload()
    setBusy(null)
  }

  return {
    mail,
    failure,
    busy,
    reload,
    resend: () =>
      run('resend', async () => {
        const { state, failure: reason } = await resendWelcome(id)
        if (state === 'sent') showToast({ type: 'success', message: mailSentences.sent })
        else if (state === 'queued' || state === 'sending') {
          showToast({ type: 'info', message: `The e-mail is in the outbox. ${reason}`.trim() })
        } else
          showToast({
            type: 'error',
            message: [mailSentences.failedToSendWelcome, reason].filter(Boolean).join(': '),
          })
      }),
    choose: (announcements: boolean) =>
      run('announcements', async () => setMail(await changeAnnouncements(id, announcements))),
  }
}

/** @throws ApiProblem */
function readStudentMail(id: string, signal: AbortSignal): Promise<StudentMail> {
  return callApi(api.students[':id'].mail.$get({ param: { id } }, { init: { signal } }))
}

/** @throws ApiProblem */
function changeAnnouncements(id: string, announcements: boolean): Promise<StudentMail> {
  return callApi(api.students[':id'].mail.$put({ param: { id }, json: { announcements } }))
}

/** @throws ApiProblem */
function resendWelcome(id: string) {
  return callApi(api.students[':id']['welcome-mail'].$post({ param: { id } }))
}

import { Mail } from 'lucide-react'
import { useId } from 'react'
import { mailKindTexts, mailStateTexts } from '#shared/mail.ts'
import type { StudentMailItem } from '#shared/student-mail.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { mailTones } from '#web/lib/mail-tones.ts'
import { useStudentMail } from './use-student-mail.ts'

/** In Student Details: what was mailed to a student, and whether announcements are. */
export function StudentMailSection({ studentId }: { studentId: string }) {
  const { mail, failure, busy, readAgain, resend, choose } = useStudentMail(studentId)
  return (
    <section>
      <h3 className="border-b pb-1 font-semibold text-primary">E-mail</h3>
      <div className="mt-3 grid gap-3">
        {failure !== null && <ErrorBanner message={failure} onRetry={readAgain} />}
        {mail === null && failure === null && <MailSkeleton />}
        {mail && (
          <>
            {mail.messages.length === 0 ? (
              <p className="text-muted">Nothing was mailed to this student yet.</p>
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

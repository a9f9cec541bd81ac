import { useEffect, useState } from 'react'
import { mailSentences } from '#shared/mail.ts'
import type { StudentMail } from '#shared/student-mail.ts'
import { showToast } from '#web/components/toaster.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { changeAnnouncements, readStudentMail, resendWelcome } from './student-mail-data.ts'

/** A student's mail as it stands, and what can be done about it. */
export function useStudentMail(id: string) {
  const [mail, setMail] = useState<StudentMail | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  /** Counts the readings that were asked for. */
  const [turn, setTurn] = useState(0)
  const [busy, setBusy] = useState<'resend' | 'announcements' | null>(null)
  const readAgain = () => setTurn((turns) => turns + 1)
  useLiveTopics(['mail', 'students'], readAgain)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a turn is a wish to read again
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
  }, [id, turn])

  async function run(what: 'resend' | 'announcements', work: () => Promise<void>) {
    if (busy !== null) return
    setBusy(what)
    try {
      await work()
    } catch (error) {
      showToast({ type: 'error', message: sentenceOf(error) })
    }
    readAgain()
    setBusy(null)
  }

  return {
    mail,
    failure,
    busy,
    readAgain,
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

import { Mail, MailWarning } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import type { AnnouncementMailing } from '#shared/announcement-mail.ts'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { figureText } from '#web/lib/count-text.ts'

interface MailMarkProps {
  announcement: ManagedAnnouncement
  /** How far its mailing is; undefined when it was not mailed, or that is no longer known. */
  mailing: AnnouncementMailing | undefined
}

/** What becomes of an announcement by e-mail, in the coordinator's list. */
export function MailMark({ announcement, mailing }: MailMarkProps) {
  const { mailTo, mailedAt, mailProblem, state } = announcement
  const [wasAsked, setAsked] = useState(false)
  if (mailTo === null) return null
  const whom = mailTo === '' ? 'all students' : mailTo
  if (mailedAt !== null) return <Mailed whom={whom} mailing={mailing} takesFocus={wasAsked} />
  if (mailProblem !== '') {
    return (
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-danger">
        <span className="wrap-anywhere">
          <MailWarning aria-hidden="true" className="mr-1 inline size-3.5" />
          Not e-mailed to {whom}: {mailProblem}
        </span>
        {state === 'published' && <MailNow announcement={announcement} onAsk={() => setAsked(true)} />}
      </p>
    )
  }
  const text =
    state === 'expired' ? `Not e-mailed to ${whom}: it has ended.` : `To ${whom} by e-mail when published`
  return (
    <p className="mt-1 inline-flex items-center gap-1 text-xs text-muted">
      <Mail aria-hidden="true" className="size-3.5 shrink-0" />
      {text}
    </p>
  )
}

interface MailedProps {
  whom: string
  mailing: AnnouncementMailing | undefined
  /** Whether it stands where a button was pressed, which had the focus and is gone. */
  takesFocus: boolean
}

function Mailed({ whom, mailing, takesFocus }: MailedProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const isKnown = mailing !== undefined
  useEffect(() => {
    if (takesFocus && isKnown && document.activeElement === document.body) link.current?.focus()
  }, [takesFocus, isKnown])
  if (!mailing) return <p className="mt-1 text-xs text-muted">E-mailed to {whom}</p>
  const { batchId, sentCount, recipientCount } = mailing
  return (
    <p className="mt-1 text-xs">
      <Link
        ref={link}
        to={tabPath('email', { pane: 'bulk', batch: batchId })}
        className="inline-flex items-center gap-1 py-1 text-primary underline underline-offset-4 tabular-nums max-md:min-h-11"
      >
        <Mail aria-hidden="true" className="size-3.5 shrink-0" />
        E-mailed to {whom}, {figureText(sentCount)} of {figureText(recipientCount)}
      </Link>
    </p>
  )
}

interface MailNowProps {
  announcement: ManagedAnnouncement
  onAsk: () => void
}

function MailNow({ announcement: { id, title }, onAsk }: MailNowProps) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)

  async function mail() {
    if (isBusy) return
    setBusy(true)
    onAsk()
    try {
      await callApi(api.announcements[':id'].mail.$post({ param: { id } }))
    } catch (error) {
      showToast({ type: 'error', message: `It was not e-mailed. ${sentenceOf(error)}` })
    } finally {
      setBusy(false)
      void revalidate()
    }
  }

  return (
    <Button
      variant="outline"
      size="sm"
      className="max-md:min-h-11"
      aria-label={`Mail it now: ${title}`}
      aria-disabled={isBusy}
      onClick={() => void mail()}
    >
      Mail it now
    </Button>
  )
}

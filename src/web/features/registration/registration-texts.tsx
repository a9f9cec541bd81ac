import { clsx } from 'clsx'
import type { ReactNode, RefObject } from 'react'
import { notConfigured } from '#shared/mail/not-configured.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { readDraft } from './draft-key.ts'

export function FormTitle({ titleRef }: { titleRef?: RefObject<HTMLHeadingElement | null> }) {
  const t = useTranslation()
  return (
    <header className="max-w-3xl">
      <h1
        ref={titleRef}
        tabIndex={-1}
        className="text-3xl font-bold tracking-tight stepped:pt-2 stepped:text-xl md:text-4xl"
      >
        {t('NSTP Competent Enlistment Form')}
      </h1>
      <p data-steps="name" className="mt-2 text-muted stepped:mt-1 stepped:text-sm">
        {t('National Service Training Program under Republic Act 9163 (NSTP Act of 2001)')}
      </p>
    </header>
  )
}

export const registrationSentences = {
  sending: 'Submitting Registration...',
  success: 'Registration successful! Thank you for registering for the NSTP program.',
  emailSent: 'A confirmation email has been sent to your email address.',
  emailNotSent: 'Registration complete. We could not send an email confirmation at this time.',
  offline:
    'No connection. Your answers are still here; we’ll send them as soon as you’re back online. Keep this page open.',
  waiting:
    'No connection. Your enlistment is not sent yet. It is saved on this device for up to 24 hours; we’ll send it as soon as you’re online with this page open.',
  busy: 'Many students are enlisting right now. Your answers are still here; we’ll send them automatically. Keep this page open.',
  sent: 'The enlistment that waited on this device was sent.',
  failed: (reason: string) => `Failed to register: ${reason}`,
} as const

export interface Mailed {
  emailSent: boolean
  emailError?: string | null | undefined
}

/** Nothing where the office sends no e-mail: there it would read as a failure. */
export function mailNotice({ emailSent, emailError }: Mailed): string | undefined {
  if (emailSent) return registrationSentences.emailSent
  return emailError === notConfigured ? undefined : registrationSentences.emailNotSent
}

export const confirmationPath = '/register/confirmation'
/** The code of the confirmation: an address with it uncovers the code. */
export const codeAnchor = 'code'

/** Shown to a returning student, to prevent a second enlistment. */
export function EnlistedNotice({ reference }: { reference: string | null }) {
  const t = useTranslation()
  if (reference === null) return null
  return (
    <NoticeLine className="bg-success-soft text-success" to={confirmationPath} action="Open the confirmation">
      {t('You enlisted today:')}{' '}
      <span className="inline-block max-w-full font-mono font-bold">{masked(reference)}</span>
    </NoticeLine>
  )
}

/** Tells two enlistments apart without half of the key to /my. */
const masked = (reference: string) => reference.replace(/-.*-/, '-…-')

/** Shown where the form isn't: only the form sends what was submitted without a connection. */
export function UnsentNotice() {
  const t = useTranslation()
  if (!useHydrated() || !readDraft('waiting')) return null
  return (
    <NoticeLine className="bg-warning-soft text-warning" to="/register" action="Open and send it">
      {t('Your enlistment is not sent yet.')}
    </NoticeLine>
  )
}

interface NoticeLineProps {
  className: string
  to: string
  action: string
  children: ReactNode
}

function NoticeLine({ className, to, action, children }: NoticeLineProps) {
  const t = useTranslation()
  return (
    <div className={clsx('border-b print:hidden', className)}>
      <p className="page-width flex flex-wrap items-center gap-x-4 py-1">
        <span className="py-1">{children}</span>
        {/* A document load on purpose: without a connection the browser has its own copy of that page. */}
        <a href={to} className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4">
          {t(action)}
        </a>
      </p>
    </div>
  )
}

import { notConfigured } from '#shared/mail/not-configured.ts'
import { useTranslation } from '#web/lib/translation.tsx'

export function FormTitle() {
  const t = useTranslation()
  return (
    <header className="max-w-3xl">
      <h1 className="text-3xl font-bold tracking-tight stepped:pt-2 stepped:text-xl md:text-4xl">
        {t('NSTP Competent Enlistment Form')}
      </h1>
      <p data-steps="name" className="mt-2 text-muted stepped:mt-1 stepped:text-sm">
        {t('National Service Training Program under Republic Act 9163 (NSTP Act of 2001)')}
      </p>
    </header>
  )
}

// Spec §8.
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

/** Shown to a returning student, to prevent a second enlistment. */
export function EnlistedNotice({ reference }: { reference: string | null }) {
  const t = useTranslation()
  if (reference === null) return null
  return (
    <div className="border-b bg-success-soft text-success print:hidden">
      <p className="page-width flex flex-wrap items-center gap-x-4 py-1">
        <span className="py-1">
          {t('You enlisted today:')}{' '}
          <span className="inline-block max-w-full font-mono font-bold">{reference}</span>
        </span>
        {/* A document load on purpose: without a connection the browser has its own copy of that page. */}
        <a
          href={confirmationPath}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {t('Open the confirmation')}
        </a>
      </p>
    </div>
  )
}

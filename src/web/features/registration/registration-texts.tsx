export function FormTitle() {
  return (
    <header className="max-w-3xl">
      <h1 className="text-3xl font-bold tracking-tight md:text-4xl">NSTP Competent Enlistment Form</h1>
      <p className="mt-2 text-muted">
        National Service Training Program under Republic Act 9163 (NSTP Act of 2001)
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
  offline: 'You are offline. Your answers are still here. Submit them again when you are back online.',
  failed: (reason: string) => `Failed to register: ${reason}`,
} as const

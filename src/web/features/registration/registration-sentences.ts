// Spec §8.
export const registrationSentences = {
  sending: 'Submitting Registration...',
  success: 'Registration successful! Thank you for registering for the NSTP program.',
  emailSent: 'A confirmation email has been sent to your email address.',
  emailNotSent: 'Registration complete. We could not send an email confirmation at this time.',
  offline: 'You are offline. Your answers are still here: send them again when you are back online.',
  failed: (reason: string) => `Failed to register: ${reason}`,
} as const

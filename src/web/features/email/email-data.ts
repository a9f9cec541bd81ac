import type { MailServiceStatus } from '#shared/mail.ts'

/** What the frame of the e-mail tab shows. */
export interface EmailFrameData {
  status: MailServiceStatus
}

export async function loadEmailFrame(_signal: AbortSignal): Promise<EmailFrameData> {
  return { status: { isConfigured: false, status: 'not_configured', message: '' } }
}

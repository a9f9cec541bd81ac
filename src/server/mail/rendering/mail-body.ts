import type { ReactNode } from 'react'
import type { OfficeContact } from '#shared/site-texts.ts'

/** Who writes: every template signs with it. */
export interface MailSchool {
  systemName: string
  /** '' while nobody has told it. */
  schoolName: string
  contact: OfficeContact
  /** Where the site is found, without a path; undefined when it isn't configured. */
  origin: string | undefined
}

/** What a template makes of a message; the frame around it is the same for all. */
export interface MailBody {
  /** What mailboxes show beside the subject. */
  preheader: string
  html: ReactNode
  /** Lines may be of any length; the frame wraps them. */
  text: string
}

/** Who writes, in a few words. */
export function nameOf({ schoolName, systemName }: Pick<MailSchool, 'schoolName' | 'systemName'>): string {
  return schoolName || systemName
}

import * as z from 'zod/mini'

/** Whether an address gets announcements. */
export interface AnnouncementChoice {
  /** As its owner recognises it, without telling it to others. */
  address: string
  announcements: boolean
}

export const optOutSentences = {
  unknownLink:
    'This link is not complete. Please open it again from the e-mail, or ask the NSTP office to stop announcements.',
  choose: 'Choose whether announcements are sent by e-mail.',
} as const

/** What the unsubscribe page and the one click of mail programs send. */
export const announcementChoiceSchema = z.strictObject({
  token: z.string(optOutSentences.unknownLink),
  announcements: z.boolean(optOutSentences.choose),
})

import * as z from 'zod/mini'

export interface AnnouncementChoice {
  address: string
  announcements: boolean
}

export const optOutSentences = {
  unknownLink: 'Please open the link from the e-mail again, or ask the NSTP office to stop announcements.',
  choose: 'Choose whether announcements are sent by e-mail.',
} as const

export const announcementChoiceSchema = z.strictObject({
  token: z.string(optOutSentences.unknownLink),
  announcements: z.boolean(optOutSentences.choose),
})

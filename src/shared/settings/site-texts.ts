import type * as z from 'zod/mini'
import type { siteTextsSchema } from './settings-schema.ts'

export type SiteTexts = z.output<typeof siteTextsSchema>
export type FeatureIcon = SiteTexts['features']['items'][number]['icon']

export const defaultSiteTexts: SiteTexts = {
  hero: {
    eyebrow: 'Republic Act 9163',
    title: 'National Service Training Program',
    text: 'Two semesters of service to the nation. Choose your component, enlist on your phone and get a reference code.',
  },
  features: {
    title: 'Enlist online, skip the line',
    items: [
      {
        icon: 'phone',
        title: 'Made for your phone',
        text: 'The whole enlistment form fits a small screen, with the right keyboard for every answer.',
      },
      {
        icon: 'signal',
        title: 'Works on a weak signal',
        text: 'If the connection drops, your answers stay in the form, and submitting again never enlists you twice.',
      },
      {
        icon: 'document',
        title: 'Instant reference code',
        text: 'You get a reference code to print or save, and the office sees your record within seconds.',
      },
      {
        icon: 'lock',
        title: 'Your data stays private',
        text: 'Only the NSTP office can open your record. The Data Privacy Act gives you the right to see and correct it.',
      },
    ],
  },
  testimonials: {
    title: 'What our graduates say',
    items: [
      {
        quote:
          'I came for the units and stayed for the people. After two semesters I knew the families of a barangay that I had only ever driven past.',
        attribution: 'A CWTS graduate',
      },
      {
        quote:
          'Formation at six taught me to be on time. Leading a platoon taught me to look after others first.',
        attribution: 'A ROTC graduate',
      },
      {
        quote:
          'A boy who couldn’t read his own name in August read us a story in December. That is my diploma.',
        attribution: 'An LTS graduate',
      },
    ],
  },
  contact: { office: 'NSTP Office', address: '', email: '', phone: '', hours: '' },
  dataProtection: { officer: '', email: '', phone: '' },
}

export function siteTextsOf({ hero, features, testimonials, contact, dataProtection }: SiteTexts): SiteTexts {
  return { hero, features, testimonials, contact, dataProtection }
}

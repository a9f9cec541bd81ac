import { describe, expect, test } from 'vitest'
import type { EnlistmentSetting } from '#shared/registration/enlistment-state.ts'
import { defaultSettings } from './settings.ts'
import { problemsOfChange } from './settings-schema.ts'
import { datesAhead, defaultSiteTexts, type SiteTexts, siteTextsOf } from './site-texts.ts'

const { hero, features, testimonials, contact, officeLinks, dataProtection } = defaultSiteTexts
const sample = { quote: 'It was good.', attribution: 'A graduate' }

test('the default texts are valid', () => {
  expect(problemsOfChange(defaultSettings, { ...defaultSiteTexts })).toEqual([])
})

test('lists and optional texts may be empty', () => {
  const change = {
    features: { ...features, items: [] },
    testimonials: { ...testimonials, items: [] },
    contact: { office: 'NSTP Office', address: '', email: '', phone: '', hours: '' },
    dataProtection: { officer: '', email: '', phone: '' },
  }
  expect(problemsOfChange(defaultSettings, change)).toEqual([])
})

test.each([
  ['a banner without a title', { hero: { ...hero, title: ' ' } }, 'hero.title', 'Please fill in the title.'],
  [
    'a long banner',
    { hero: { ...hero, text: 'x'.repeat(301) } },
    'hero.text',
    'Please shorten the text under the title to 300 characters or fewer.',
  ],
  [
    'a picture that there is not',
    { features: { ...features, items: [{ icon: 'rocket', title: 'Fast', text: 'Very.' }] } },
    'features.items.0.icon',
    'Please choose one of the icons.',
  ],
  [
    'a testimonial by nobody',
    { testimonials: { ...testimonials, items: [sample, { ...sample, attribution: '' }] } },
    'testimonials.items.1.attribution',
    'Please fill in the name of the testimonial.',
  ],
  [
    'ten testimonials',
    { testimonials: { ...testimonials, items: Array.from({ length: 10 }, () => sample) } },
    'testimonials.items',
    'Please list at most 9 testimonials.',
  ],
  [
    'an address that nobody can write to',
    { contact: { ...contact, email: 'nstp at school' } },
    'contact.email',
    'Please enter a valid email address.',
  ],
  [
    'a line break in an address',
    { contact: { ...contact, address: 'Building 2\nTanza' } },
    'contact.address',
    'Please remove the unusual characters from the address.',
  ],
  [
    'a link that is not encrypted',
    { officeLinks: { ...officeLinks, map: 'http://maps.example/room-12' } },
    'officeLinks.map',
    'Please enter a whole address that begins with https://, or leave it empty.',
  ],
  [
    'a date that there is not',
    { termDates: [{ label: 'Orientation', date: '2026-02-30' }] },
    'termDates.0.date',
    'Please enter the date.',
  ],
  [
    'an officer without a way to reach them',
    { dataProtection: { ...dataProtection, email: 'dpo@' } },
    'dataProtection.email',
    'Please enter a valid email address.',
  ],
])('%s is refused with a sentence', (_case, change: Record<string, unknown>, path, message) => {
  expect(problemsOfChange(defaultSettings, change)).toEqual([{ path, message }])
})

test('the public pages get the texts and nothing else of the settings, and no sample quote', () => {
  const items = [...testimonials.items, sample]
  expect(siteTextsOf({ ...defaultSettings, testimonials: { ...testimonials, items } })).toEqual({
    ...defaultSiteTexts,
    testimonials: { ...testimonials, items: [sample] },
  })
})

describe('the dates of a semester', () => {
  const noEnd: EnlistmentSetting = { state: 'open', opensAt: '', closesAt: '', message: '' }
  const untilJuly: EnlistmentSetting = { ...noEnd, state: 'dates', closesAt: '2026-07-31T17:00' }
  const dates = [
    { label: 'End', date: '2026-12-19' },
    { label: 'Orientation', date: '2026-08-01' },
    { label: 'First day', date: '2026-08-08' },
    { label: 'Blood drive', date: '2026-08-01' },
  ]
  const shown = (today: string, enlistment = noEnd, termDates: SiteTexts['termDates'] = dates) =>
    datesAhead({ termDates, enlistment }, new Date(`${today}T08:00+08:00`), 'Asia/Manila')
  const labels = (...today: Parameters<typeof shown>) => shown(...today).map(({ label }) => label)

  test('are shown until their day is over, the next first, those of a day in the order of the office', () => {
    expect(labels('2026-08-01')).toEqual(['Orientation', 'Blood drive', 'First day', 'End'])
    expect(labels('2026-08-02')).toEqual(['First day', 'End'])
    expect(labels('2026-12-20')).toEqual([])
  })

  test('have the day when enlistment closes by itself', () => {
    expect(shown('2026-07-31', untilJuly)[0]).toEqual({ label: 'Enlistment until', date: '2026-07-31' })
    expect(labels('2026-08-01', untilJuly)).not.toContain('Enlistment until')
    expect(labels('2026-07-31', untilJuly, [])).toEqual(['Enlistment until'])
  })

  test('have the day that the office listed instead', () => {
    const own = { label: 'Enlistment Until', date: '2026-07-30' }
    expect(shown('2026-07-01', untilJuly, [own])).toEqual([own])
    expect(shown('2026-07-01', { ...untilJuly, state: 'closed' }, [own])).toEqual([])
  })
})

import { type FieldSpec, type SectionSpec, sections } from './sections.ts'
import { isSettingName, settingLabels, settingsAnchor } from './setting-texts.ts'

/** The cards of the screen, on pages by their subject. */
export const settingsPages = [
  {
    name: 'Enlistment',
    titles: [
      sections.enlistment.title,
      sections.years.title,
      sections.courses.title,
      sections.programs.title,
    ],
  },
  {
    name: 'School',
    titles: [
      sections.names.title,
      'Logo',
      sections.office.title,
      sections.contact.title,
      sections.dataProtection.title,
    ],
  },
  {
    name: 'Program',
    titles: [
      sections.semesters.title,
      sections.levelNames.title,
      sections.marking.title,
      sections.signatories.title,
      sections.certificates.title,
    ],
  },
  { name: 'E-mail', titles: [sections.publicAddress.title, sections.mail.title] },
  {
    name: 'Records and sign-in',
    titles: ['Backup', sections.retention.title, sections.signIn.title, 'API tokens'],
  },
  {
    name: 'Site content',
    titles: [
      sections.hero.title,
      sections.termDates.title,
      sections.componentFacts.title,
      sections.features.title,
      sections.testimonials.title,
    ],
  },
] as const

export type SettingsPage = (typeof settingsPages)[number]['name']

export const settingsTitles: readonly string[] = settingsPages.flatMap(({ titles }) => titles)

/** Further words by which a card is found. */
export const settingWords: Record<string, string> = {
  [sections.names.title]: 'school system logo address',
  [sections.enlistment.title]: 'close open registration maintenance mode window daily code slots',
  [sections.retention.title]: 'delete archive audit',
  [sections.hero.title]: 'home page banner',
}

interface FoundSetting {
  title: string
  label: string
  /** All words by which the setting is found, in small letters. */
  words: string
  /** The id of the card or the field. */
  anchor: string
}

const everySetting: readonly FoundSetting[] = settingsTitles.flatMap((title) => {
  const section: SectionSpec | undefined = Object.values(sections).find((one) => one.title === title)
  const labels = (fields: readonly FieldSpec[]) =>
    fields.map(({ path, label, hint = '' }) => ({
      path,
      label: label ?? (isSettingName(path) ? settingLabels[path] : path),
      hint,
    }))
  const { lead = '', entries } = section ?? {}
  // The fields of an entry are found with their card: each entry has its own.
  const ofEntries = labels(entries?.fields ?? []).map(({ label }) => label)
  const card = [title, lead, settingWords[title] ?? '', ...ofEntries].join(' ')
  const found = [{ title, label: title, anchor: settingsAnchor(title), words: card.toLowerCase() }]
  return found.concat(
    labels(section?.fields ?? []).map(({ path, label, hint }) => ({
      title,
      label,
      anchor: path,
      words: `${title} ${label} ${hint}`.toLowerCase(),
    })),
  )
})

/** The cards and fields that have all words of a text in their names and hints; none for a blank text. */
export function findSettings(text: string): readonly FoundSetting[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return everySetting.filter((setting) => words.every((word) => setting.words.includes(word)))
}

/** The page of a place in the screen's address: a page, a card or a field. */
export function settingsPageAt(hash: string): SettingsPage {
  const anchor = hash.slice(1)
  const title = everySetting.find((one) => one.anchor === anchor)?.title
  const page = settingsPages.find(
    ({ name, titles }) => pageAnchor(name) === anchor || titles.some((one) => one === title),
  )
  return page?.name ?? 'Enlistment'
}

export const pageAnchor = (page: SettingsPage) => `page-${settingsAnchor(page)}`

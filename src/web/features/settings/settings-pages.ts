import { type FieldSpec, type SectionSpec, sections } from './sections.ts'
import { isSettingName, settingLabels, settingsAnchor } from './setting-texts.ts'

// Cards that are not drawn from sections.ts.
const ownTitles = { logo: 'Logo', backup: 'Backup', tokens: 'API tokens' }

export type OwnCard = keyof typeof ownTitles

type CardName = keyof typeof sections | OwnCard

export const isOwnCard = (card: CardName): card is OwnCard => card in ownTitles

const titleOf = (card: CardName): string => (isOwnCard(card) ? ownTitles[card] : sections[card].title)

/** The cards of the screen, on pages by their subject. */
const pages = [
  { name: 'Enlistment', cards: ['enlistment', 'years', 'courses', 'programs'] },
  { name: 'School', cards: ['names', 'logo', 'office', 'contact', 'dataProtection'] },
  {
    name: 'Program',
    cards: ['semesters', 'levelNames', 'marking', 'studentsSeeMarks', 'signatories', 'certificates'],
  },
  { name: 'E-mail', cards: ['publicAddress', 'mail'] },
  { name: 'Records and sign-in', cards: ['backup', 'retention', 'signIn', 'tokens'] },
  { name: 'Site content', cards: ['hero', 'termDates', 'componentFacts', 'features', 'testimonials'] },
] as const satisfies readonly { name: string; cards: readonly CardName[] }[]

export type SettingsPage = (typeof pages)[number]['name']

export const settingsPages = pages.map(({ name, cards }) => ({ name, cards, titles: cards.map(titleOf) }))

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

import type { SemesterDefinition } from '#shared/periods.ts'
import { monthNames } from '#shared/program-calendar.ts'
import type { Settings, SettingsChange } from '#shared/settings/settings.ts'
import type { FeatureIcon } from '#shared/settings/site-texts.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { tabPath } from '#web/lib/admin-tab.ts'

export type SettingName = keyof SettingsChange

export function isSettingName(name: string): name is SettingName {
  return name in settingLabels
}

export const settingLabels: Record<SettingName, string> = {
  systemName: 'System name',
  schoolName: 'School name',
  rotcOfficeAddress: 'Office address on the ROTC form',
  academicYears: 'Available academic years',
  currentAcademicYear: 'Current academic year',
  courses: 'Courses',
  programs: 'Degree programs',
  semesters: 'Semesters',
  levelNames: 'Names of the levels',
  marking: 'Marks',
  studentsSeeMarks: 'Students see marks',
  office: 'Office',
  signatories: 'Signatories',
  certificates: 'Certificates',
  confirmedLayouts: 'Confirmed papers',
  recordRetentionYears: 'Years to keep records',
  auditRetentionMonths: 'Months to keep the audit trail',
  twoFactorRequired: 'Who must use two-factor sign-in',
  publicAddress: 'Public address',
  mailPerDay: 'E-mails per day',
  mailPerMinute: 'E-mails per minute',
  enlistment: 'Enlistment',
  onlyWithCode: 'Require a daily code',
  quotas: 'Slots by component',
  hero: 'Banner',
  features: 'Features',
  testimonials: 'Testimonials',
  componentFacts: 'Components',
  termDates: 'This semester',
  contact: 'Contact',
  officeLinks: 'Links of the office',
  dataProtection: 'Data protection contact',
}

/** The id of a section in the tab's address. */
export function settingsAnchor(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}

export function settingsPath(title: string): string {
  return `${tabPath('system-settings')}#${settingsAnchor(title)}`
}

export function settingText(name: SettingName, settings: Settings, before: Settings): string {
  switch (name) {
    case 'academicYears':
    case 'courses':
      return settings[name].join(', ')
    case 'programs':
      return settings.programs.map(({ course, name }) => `${course}: ${name}`).join(', ') || 'none'
    case 'currentAcademicYear':
      return settings[name] || 'automatic'
    case 'semesters':
      return settings[name].map(semesterText).join('; ')
    case 'levelNames':
      return nstpComponents
        .map((component) => `${component} ${Object.values(settings.levelNames[component]).join(', ')}`)
        .join('; ')
    case 'marking':
      return markingText(settings.marking)
    case 'office':
      return officeText(settings.office)
    case 'signatories':
      return settings.signatories.map(({ name, title }) => `${name}, ${title}`).join('; ') || 'none'
    case 'certificates':
      return quoted(Object.values(settings.certificates))
    case 'confirmedLayouts':
      return settings.confirmedLayouts.join(', ') || 'none'
    case 'onlyWithCode':
      return settings[name] ? 'on' : 'off'
    case 'enlistment':
      return enlistmentText(settings.enlistment)
    case 'quotas':
      return nstpComponents.map((name) => `${name} ${settings.quotas[name] ?? 'no limit'}`).join(', ')
    case 'hero':
      return quoted([settings.hero.eyebrow, settings.hero.title, settings.hero.text])
    case 'features':
      return listText(settings.features, before.features, {
        nameOf: ({ title }) => title,
        wholeOf: ({ icon, title, text }) => `${title}, “${text}”, icon: ${iconLabels[icon].toLowerCase()}`,
      })
    case 'testimonials':
      return listText(settings.testimonials, before.testimonials, {
        nameOf: ({ attribution }) => attribution,
        wholeOf: ({ quote, attribution }) => `“${quote}”, ${attribution}`,
      })
    case 'componentFacts':
      return nstpComponents
        .map((name) => `${name}: ${quoted(Object.values(settings.componentFacts[name]))}`)
        .join('; ')
    case 'termDates':
      return settings.termDates.map(({ label, date }) => `${label} ${date}`).join('; ') || 'none'
    case 'contact':
    case 'officeLinks':
    case 'dataProtection':
      return Object.values(settings[name]).filter(Boolean).join(', ') || 'empty'
    default:
      return String(settings[name]) || 'empty'
  }
}

function markingText({ best, passing, worst }: Settings['marking']): string {
  return `best ${best}, passing ${passing}, worst ${worst}`
}

function officeText({ phonesWithZero, ...texts }: Settings['office']): string {
  const phones = phonesWithZero ? 'phone numbers with 0' : 'phone numbers without 0'
  return [...Object.values(texts).filter(Boolean), phones].join(', ')
}

function enlistmentText({ state, opensAt, closesAt, message }: Settings['enlistment']): string {
  if (state === 'closed') return `closed, “${message}”`
  if (state === 'open') return 'open'
  return `from ${opensAt.replace('T', ' ') || 'now'} to ${closesAt.replace('T', ' ') || 'no end'}`
}

function quoted(texts: readonly string[]): string {
  return texts
    .filter(Boolean)
    .map((text) => `“${text}”`)
    .join(', ')
}

interface TitledList<Item> {
  title: string
  readonly items: readonly Item[]
}

interface ItemTexts<Item> {
  nameOf: (item: Item) => string
  wholeOf: (item: Item) => string
}

function listText<Item>(
  { title, items }: TitledList<Item>,
  before: TitledList<Item>,
  { nameOf, wholeOf }: ItemTexts<Item>,
): string {
  const unchanged = new Set(before.items.map(wholeOf))
  const texts = items.map((item) => (unchanged.has(wholeOf(item)) ? nameOf(item) : wholeOf(item)))
  return `“${title}”: ${texts.join('; ') || 'none'}`
}

function semesterText({ name, firstMonth, lastMonth }: SemesterDefinition): string {
  return `${name}: ${monthNames[firstMonth - 1]} to ${monthNames[lastMonth - 1]}`
}

export const iconLabels: Record<FeatureIcon, string> = {
  phone: 'Phone',
  signal: 'Signal',
  document: 'Document',
  lock: 'Lock',
  people: 'People',
  calendar: 'Calendar',
}

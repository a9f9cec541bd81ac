import type * as z from 'zod/mini'
import { defaultWording } from '#shared/certificates/certificates.ts'
import { defaultOffice } from '#shared/papers/office.ts'
import type { Permission } from '#shared/people/permissions.ts'
import { defaultSemesters } from '#shared/periods.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { productName } from '#shared/site/site.ts'
import { academicYearOf } from '#shared/students/academic-year.ts'
import { academicYears, courses } from '#shared/students/student-choices.ts'
import { defaultLevelNames } from '#shared/terms/level-names.ts'
import { defaultMarking } from '#shared/terms/marking.ts'
import type { readableSettingsSchema, settingsSchema } from './settings-schema.ts'
import { defaultSiteTexts } from './site-texts.ts'

export type VersionedSettings = z.output<typeof settingsSchema>
export type Settings = Omit<VersionedSettings, 'version'>
export type SettingsChange = Partial<Omit<Settings, 'logo'>>
/** The settings as one account reads them: those that it may not read are absent. */
export type ReadableSettings = z.output<typeof readableSettingsSchema>

/** The settings of a new portal. Until the office stores its academic years, the server offers those around today. */
export const defaultSettings: Settings = {
  systemName: productName,
  schoolName: '',
  rotcOfficeAddress: '',
  academicYears,
  currentAcademicYear: '',
  courses,
  programs: [],
  semesters: defaultSemesters,
  levelNames: defaultLevelNames,
  marking: defaultMarking,
  studentsSeeMarks: 'closed',
  recordRetentionYears: 10,
  auditRetentionMonths: 36,
  twoFactorRequired: 'nobody',
  // Where PUBLIC_URL isn't set: the origin that students reach, as the office confirmed it.
  publicAddress: '',
  // A Gmail account stops at about 500 recipients a day.
  mailPerDay: 450,
  mailPerMinute: 20,
  // Decision 045: a new portal takes enlistments from its first minute.
  enlistment: {
    state: 'open',
    opensAt: '',
    closesAt: '',
    message: 'Online enlistment is closed at the moment. Please come back later, or ask the NSTP office.',
  },
  onlyWithCode: false,
  // Records of an academic year; null for no limit.
  quotas: { ROTC: null, CWTS: null, LTS: null },
  ...defaultOffice,
  certificates: defaultWording,
  logo: null,
  ...defaultSiteTexts,
}

/** The permission whose screens need a setting. Without one a new setting doesn't compile. */
const readersOfSettings: Readonly<Record<keyof Settings, Permission>> = {
  systemName: 'signed-in',
  schoolName: 'signed-in',
  logo: 'signed-in',
  levelNames: 'signed-in',
  enlistment: 'signed-in',
  recordRetentionYears: 'signed-in',
  twoFactorRequired: 'signed-in',
  // Visitors read these four with the form.
  academicYears: 'signed-in',
  currentAcademicYear: 'signed-in',
  courses: 'signed-in',
  programs: 'signed-in',
  // Printed on a sheet.
  rotcOfficeAddress: 'students.read',
  onlyWithCode: 'code',
  marking: 'marks.read',
  // Papers and certificates propose today's academic year by them.
  semesters: 'papers',
  office: 'papers',
  signatories: 'papers',
  certificates: 'papers',
  confirmedLayouts: 'settings',
  studentsSeeMarks: 'settings',
  auditRetentionMonths: 'settings',
  publicAddress: 'settings',
  mailPerDay: 'settings',
  mailPerMinute: 'settings',
  quotas: 'settings',
  hero: 'settings',
  features: 'settings',
  testimonials: 'settings',
  componentFacts: 'settings',
  termDates: 'settings',
  contact: 'settings',
  officeLinks: 'settings',
  dataProtection: 'settings',
}

export function readableSettings(
  settings: VersionedSettings,
  can: (permission: Permission) => boolean,
): ReadableSettings {
  const hidden = Object.entries(readersOfSettings).filter(([, permission]) => !can(permission))
  return { ...settings, ...Object.fromEntries(hidden.map(([name]) => [name, undefined])) }
}

/** The defaults stand in for settings that no screen of the account shows. @param known from JSON, where those are absent */
export function withDefaults({ version, ...known }: ReadableSettings): VersionedSettings {
  return { ...Object.assign({}, defaultSettings, known), version }
}

/** Whether a student can see who collects the answers, and whom to ask about them (RA 10173). */
export function isOfficeNamed({ schoolName, dataProtection: { email, phone } }: Settings): boolean {
  return schoolName !== '' && email + phone !== ''
}

export function currentAcademicYear(
  { currentAcademicYear: chosen, academicYears: offered, semesters }: Settings,
  today: CalendarDate,
): string {
  const year = chosen || academicYearOf(today, semesters[0]?.firstMonth ?? 1)
  return offered.includes(year) ? year : ''
}

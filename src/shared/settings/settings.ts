import type * as z from 'zod/mini'
import { defaultWording } from '#shared/certificates/certificates.ts'
import { defaultOffice } from '#shared/papers/office.ts'
import { defaultSemesters } from '#shared/periods.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { productName } from '#shared/site/site.ts'
import { academicYearOf } from '#shared/students/academic-year.ts'
import { academicYears, courses } from '#shared/students/student-choices.ts'
import { defaultLevelNames } from '#shared/terms/level-names.ts'
import { defaultMarking } from '#shared/terms/marking.ts'
import type { settingsSchema } from './settings-schema.ts'
import { defaultSiteTexts } from './site-texts.ts'

export type VersionedSettings = z.output<typeof settingsSchema>
export type Settings = Omit<VersionedSettings, 'version'>
export type SettingsChange = Partial<Omit<Settings, 'logo'>>

/** Of a new portal. The server offers the academic years around today until the office stores a list of its own. */
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

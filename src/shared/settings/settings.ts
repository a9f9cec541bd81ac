import { defaultSemesters, type SemesterDefinition } from '#shared/periods.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { productName } from '#shared/site/site.ts'
import { academicYearOf } from '#shared/students/academic-year.ts'
import { academicYears, courses } from '#shared/students/student-choices.ts'
import { defaultSiteTexts, type SiteTexts } from './site-texts.ts'

/** What the coordinator sets for the whole product. Rules and sentences are in settings-schema.ts. */
export interface Settings extends SiteTexts {
  systemName: string
  /** '' while nobody has told it. */
  schoolName: string
  /** The office line on the ROTC sheet; '' until the office fills it in, which leaves the line out. */
  rotcOfficeAddress: string
  /** On offer at registration, in the order to show them. */
  readonly academicYears: readonly string[]
  /** Stands in the form from the start; '' for the one that the calendar says. */
  currentAcademicYear: string
  /** On offer at registration, in the order to show them. */
  readonly courses: readonly string[]
  readonly semesters: readonly SemesterDefinition[]
  /** How long a record is kept after it was archived. */
  recordRetentionYears: number
  /** How long the audit trail is kept. */
  auditRetentionMonths: number
  /** How many e-mails go out in 24 hours at most, and in a minute. */
  mailPerDay: number
  mailPerMinute: number
  readonly maintenance: {
    /** Closes registration. */
    enabled: boolean
    /** What a registrant reads meanwhile. */
    sentence: string
  }
  readonly logo: { url: string } | null
}

/** Settings as they stand, with the version that a change names. */
export interface VersionedSettings extends Settings {
  /** Counts the changes, from 1. */
  version: number
}

/** What one change may carry. The logo has a way of its own. */
export type SettingsChange = Partial<Omit<Settings, 'logo'>>

/** The product as it comes: the fixed lists of the specification. */
export const defaultSettings: Settings = {
  systemName: productName,
  schoolName: '',
  rotcOfficeAddress: '',
  academicYears,
  currentAcademicYear: '',
  courses,
  semesters: defaultSemesters,
  recordRetentionYears: 10,
  auditRetentionMonths: 36,
  // A Gmail account stops at about 500 recipients a day.
  mailPerDay: 450,
  mailPerMinute: 20,
  maintenance: {
    enabled: false,
    sentence: 'Registration is closed for maintenance at the moment. Please come back later.',
  },
  logo: null,
  ...defaultSiteTexts,
}

/** The academic year to start with: the chosen one, else the calendar's, '' where that isn't on offer. */
export function currentAcademicYear(
  { currentAcademicYear: chosen, academicYears: offered, semesters }: Settings,
  today: CalendarDate,
): string {
  const year = chosen || academicYearOf(today, semesters[0]?.firstMonth ?? 1)
  return offered.includes(year) ? year : ''
}

/** The records whose time is over: archived longer ago than the settings keep them. */
export interface ExpiredRecords {
  /** How long a record is kept after it was archived. */
  years: number
  /** Records that were archived before this instant, ISO. */
  before: string
  count: number
}

import * as z from 'zod/mini'
import { wordingSchema } from '#shared/certificates/certificates.ts'
import { fieldMessages, isEmail, shapeError } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import { instantOfLocal } from '#shared/local-time.ts'
import { officeSettings } from '#shared/papers/office.ts'
import { type Role, roles } from '#shared/people/permissions.ts'
import type { SemesterDefinition } from '#shared/periods.ts'
import type { FieldError } from '#shared/problem.ts'
import { fieldErrors } from '#shared/problem.ts'
import { isCalendarDate } from '#shared/program-calendar.ts'
import { enlistmentStates } from '#shared/registration/enlistment-state.ts'
import { fieldDefinition } from '#shared/students/student-fields.ts'
import { isAcademicYear } from '#shared/students/students.ts'
import { isScale, markingMessages, markNumber, marksShownWhen } from '#shared/terms/marking.ts'

export const featureIcons = ['phone', 'signal', 'document', 'lock', 'people', 'calendar'] as const

export const siteTextLimits = {
  eyebrow: 60,
  title: 80,
  text: 300,
  features: 8,
  quote: 400,
  attribution: 80,
  testimonials: 9,
  termDates: 8,
  line: 120,
  does: 200,
  address: 200,
  email: 254,
  phone: 60,
  webAddress: 500,
} as const

const limits = siteTextLimits

const siteTextMessages = {
  features: `Please list at most ${limits.features} features.`,
  testimonials: `Please list at most ${limits.testimonials} testimonials.`,
  icon: 'Please choose one of the icons.',
  termDates: `Please list at most ${limits.termDates} dates.`,
  date: 'Please enter the date.',
  webAddress: 'Please enter a whole address that begins with https://, or leave it empty.',
}

const optional = { required: false }

function itemsOf<T extends z.ZodMiniType>(item: T, max: number, error: string) {
  return z.readonly(z.array(item, { error }).check(z.maxLength(max, { error })))
}

const email = line('email address', limits.email, {
  required: false,
  check: (text) => (isEmail(text) ? undefined : fieldMessages.email),
})
const phone = line('phone number', limits.phone, optional)

const webAddress = line('address', limits.webAddress, {
  required: false,
  check: (text) => (isWebAddress(text) ? undefined : siteTextMessages.webAddress),
})

function isWebAddress(text: string): boolean {
  return /^https:\/\/[^\s/]/.test(text) && z.safeParse(z.url(), text).success
}

const feature = z.strictObject({
  icon: z.enum(featureIcons, { error: siteTextMessages.icon }),
  title: line('title of the feature', limits.title),
  text: line('text of the feature', limits.text),
})

const testimonial = z.strictObject({
  quote: line('quote of the testimonial', limits.quote),
  attribution: line('name of the testimonial', limits.attribution),
})

const termDate = z.strictObject({
  label: line('name of the date', limits.title),
  date: z
    .string({ error: siteTextMessages.date })
    .check(z.refine((text) => isCalendarDate(text), { error: siteTextMessages.date })),
})

const facts = z.strictObject({
  does: line('what one does', limits.does),
  hours: line('hours', limits.line, optional),
  uniform: line('uniform', limits.line, optional),
  cost: line('cost', limits.line, optional),
})

const siteTextFields = {
  hero: z.strictObject({
    eyebrow: line('line above the title', limits.eyebrow, optional),
    title: line('title', limits.title),
    text: line('text under the title', limits.text),
  }),
  features: z.strictObject({
    title: line('heading', limits.title),
    items: itemsOf(feature, limits.features, siteTextMessages.features),
  }),
  testimonials: z.strictObject({
    title: line('heading', limits.title),
    items: itemsOf(testimonial, limits.testimonials, siteTextMessages.testimonials),
  }),
  componentFacts: z.strictObject({ ROTC: facts, CWTS: facts, LTS: facts }),
  termDates: itemsOf(termDate, limits.termDates, siteTextMessages.termDates),
  contact: z.strictObject({
    office: line('name of the office', limits.line),
    address: line('address', limits.address, optional),
    email,
    phone,
    hours: line('office hours', limits.line, optional),
  }),
  // Beside `contact`, whose stored values have no such members.
  officeLinks: z.strictObject({ facebook: webAddress, map: webAddress }),
  dataProtection: z.strictObject({
    officer: line('name of the officer', limits.line, optional),
    email,
    phone,
  }),
}

export const siteTextsSchema = z.object(siteTextFields)

export const settingsLimits = {
  name: 80,
  schoolName: 120,
  address: 200,
  sentence: 300,
  courseName: fieldDefinition('course').max,
  programName: fieldDefinition('program').max,
  levelName: 30,
  academicYears: 40,
  courses: 100,
  programs: 300,
  semesters: 6,
  recordRetentionYears: 100,
  auditRetentionMonths: 240,
  mailPerDay: 1_000_000,
  mailPerMinute: 10_000,
  slots: 1_000_000,
} as const

export const settingsMessages = {
  range: (what: string, max: number) =>
    `Please enter the ${what} as a whole number from 1 to ${max.toLocaleString('en-US')}.`,
  programs: 'Please list at most 300 degree programs.',
  list: (what: string, max: number) => `Please list 1 to ${max} ${what}.`,
  twice: (value: string) => `${value} is listed twice. Please remove one.`,
  academicYear: 'Please enter the academic year as two consecutive years, such as 2026-2027.',
  currentAcademicYear: 'Please choose one of the available academic years, or Automatic.',
  month: 'Please choose a month.',
  overlap: (first: string, second: string) =>
    `The months of ${first} and ${second} overlap. Each month can belong to one semester only.`,
  localTime: 'Please enter a date and a time, or leave it empty.',
  enlistmentState: 'Please choose whether enlistment is closed, open, or open between dates.',
  enlistmentDates: 'Please enter when enlistment opens, when it closes, or both.',
  closesBeforeOpening: 'Please choose a time after the opening.',
  publicAddress: 'Please enter an address such as https://nstp.school.edu.ph, without a path.',
  twoFactorRequired: 'Please choose who must use two-factor sign-in: nobody, leaders, or everyone.',
  studentsSeeMarks: 'Please choose when students see marks: never, when the term is closed, or at once.',
  onOrOff: 'Please set this to on or off.',
}

// 'YYYY-MM-DDTHH:mm' of the program's time zone, or empty.
const optionalTime = z
  .string({ error: settingsMessages.localTime })
  .check(
    z.refine((text) => text === '' || instantOfLocal(text, 'UTC') !== undefined, settingsMessages.localTime),
  )

const optionalOrigin = z.string({ error: settingsMessages.publicAddress }).check(
  z.trim(),
  z.overwrite((text) => text.replace(/\/$/, '')),
  z.refine((text) => text === '' || isOrigin(text), settingsMessages.publicAddress),
  z.maxLength(settingsLimits.address, settingsMessages.publicAddress),
)

function isOrigin(text: string): boolean {
  return /^https?:\/\/[^/\\\s?#@]+$/.test(text) && z.safeParse(z.url(), text).success
}

function wholeNumber(what: string, max: number) {
  const error = settingsMessages.range(what, max)
  return z.int({ error }).check(z.minimum(1, { error }), z.maximum(max, { error }))
}

function listOf<T extends z.ZodMiniType>(
  item: T,
  what: string,
  max: number,
  nameOf: (value: z.output<T>) => string,
) {
  const error = settingsMessages.list(what, max)
  return z.readonly(
    z.array(item, { error }).check(
      z.minLength(1, { error }),
      z.maxLength(max, { error }),
      z.check(({ value, issues }) => {
        const seen = new Set<string>()
        for (const [index, entry] of value.entries()) {
          const name = nameOf(entry)
          const key = name.toLowerCase()
          if (seen.has(key)) {
            const message = settingsMessages.twice(name)
            issues.push({ code: 'custom', message, path: [index], input: name })
          }
          seen.add(key)
        }
      }),
    ),
  )
}

const itself = (name: string) => name

function withHyphen(year: string): string {
  return year
    .split(/[-\u2010-\u2015\u2212]/)
    .map((part) => part.trim())
    .join('-')
}

const academicYear = z
  .string({ error: settingsMessages.academicYear })
  .check(z.overwrite(withHyphen), z.refine(isAcademicYear, { error: settingsMessages.academicYear }))

const program = z.strictObject({
  course: line('course', settingsLimits.courseName),
  name: line('name of the degree program', settingsLimits.programName),
})

const month = z
  .int({ error: settingsMessages.month })
  .check(z.minimum(1, { error: settingsMessages.month }), z.maximum(12, { error: settingsMessages.month }))

const semester = z.strictObject({
  name: line('name of the semester', settingsLimits.name),
  firstMonth: month,
  lastMonth: month,
})

const semesters = listOf(semester, 'semesters', settingsLimits.semesters, ({ name }) => name).check(
  z.check(({ value, issues }) => {
    for (const { index, message } of overlaps(value)) {
      issues.push({ code: 'custom', message, path: [index, 'firstMonth'], input: value[index] })
    }
  }),
)

function overlaps(semesters: readonly SemesterDefinition[]): { index: number; message: string }[] {
  const taken = new Map<number, string>()
  return semesters.flatMap((definition, index) => {
    const months = monthsOf(definition)
    const other = months.map((each) => taken.get(each)).find((name) => name !== undefined)
    for (const each of months) taken.set(each, definition.name)
    return other === undefined ? [] : [{ index, message: settingsMessages.overlap(other, definition.name) }]
  })
}

function monthsOf({ firstMonth, lastMonth }: SemesterDefinition): number[] {
  const length = ((lastMonth - firstMonth + 12) % 12) + 1
  return Array.from({ length }, (_, index) => ((firstMonth - 1 + index) % 12) + 1)
}

const markOfScale = z.string({ error: markingMessages.scale }).check(
  z.trim(),
  z.refine((text) => !Number.isNaN(markNumber(text)), markingMessages.scale),
)

const namesOfLevels = z.strictObject({
  first: line('name of the first level', settingsLimits.levelName),
  second: line('name of the second level', settingsLimits.levelName),
})

const slots = z.nullable(wholeNumber('slots', settingsLimits.slots))

/** The accounts of which two-factor sign-in is required. */
const twoFactorRequirements = ['nobody', 'leaders', 'everyone'] as const

export type TwoFactorRequirement = (typeof twoFactorRequirements)[number]

export const rolesConcerned: Readonly<Record<TwoFactorRequirement, readonly Role[]>> = {
  nobody: [],
  leaders: ['administrator', 'coordinator', 'privacy officer'],
  everyone: roles,
}

const fields = {
  systemName: line('system name', settingsLimits.name),
  schoolName: line('school name', settingsLimits.schoolName, { required: false }),
  rotcOfficeAddress: line('office address', settingsLimits.address, { required: false }),
  academicYears: listOf(academicYear, 'academic years', settingsLimits.academicYears, itself),
  currentAcademicYear: z.string({ error: settingsMessages.currentAcademicYear }),
  courses: listOf(
    line('name of the course', settingsLimits.courseName),
    'courses',
    settingsLimits.courses,
    itself,
  ),
  programs: itemsOf(program, settingsLimits.programs, settingsMessages.programs),
  semesters,
  levelNames: z.strictObject({ ROTC: namesOfLevels, CWTS: namesOfLevels, LTS: namesOfLevels }),
  marking: z.strictObject({ best: markOfScale, passing: markOfScale, worst: markOfScale }),
  studentsSeeMarks: z.enum(marksShownWhen, { error: settingsMessages.studentsSeeMarks }),
  recordRetentionYears: wholeNumber('years to keep records', settingsLimits.recordRetentionYears),
  auditRetentionMonths: wholeNumber('months to keep the audit trail', settingsLimits.auditRetentionMonths),
  twoFactorRequired: z.enum(twoFactorRequirements, { error: settingsMessages.twoFactorRequired }),
  publicAddress: optionalOrigin,
  mailPerDay: wholeNumber('e-mails per day', settingsLimits.mailPerDay),
  mailPerMinute: wholeNumber('e-mails per minute', settingsLimits.mailPerMinute),
  enlistment: z.strictObject({
    state: z.enum(enlistmentStates, { error: settingsMessages.enlistmentState }),
    opensAt: optionalTime,
    closesAt: optionalTime,
    message: line('message to students', settingsLimits.sentence),
  }),
  onlyWithCode: z.boolean({ error: settingsMessages.onOrOff }),
  quotas: z.strictObject({ ROTC: slots, CWTS: slots, LTS: slots }),
  ...officeSettings,
  certificates: wordingSchema,
  ...siteTextFields,
}

export const settingsChangeSchema = z.partial(
  z.strictObject(
    fields,
    shapeError(
      'Settings are one object with the fields to change.',
      (names) => `Unknown settings: ${names}.`,
    ),
  ),
)

export const settingsSchema = z.object({
  ...fields,
  logo: z.nullable(z.object({ url: z.string() })),
  version: z.int(),
})

/** The settings that one account reads. */
export const readableSettingsSchema = z.extend(z.partial(settingsSchema), { version: z.int() })

type Settings = Omit<z.output<typeof settingsSchema>, 'version'>
type SettingsChange = Partial<Omit<Settings, 'logo'>>

export function problemsBetween({
  academicYears,
  currentAcademicYear,
  enlistment,
  marking,
}: Settings): FieldError[] {
  const { state, opensAt, closesAt } = enlistment
  return [
    currentAcademicYear !== '' &&
      !academicYears.includes(currentAcademicYear) && {
        path: 'currentAcademicYear',
        message: settingsMessages.currentAcademicYear,
      },
    state === 'dates' &&
      opensAt + closesAt === '' && { path: 'enlistment.opensAt', message: settingsMessages.enlistmentDates },
    state === 'dates' &&
      opensAt !== '' &&
      closesAt !== '' &&
      closesAt <= opensAt && { path: 'enlistment.closesAt', message: settingsMessages.closesBeforeOpening },
    !isScale(marking) && { path: 'marking.passing', message: markingMessages.passing },
  ].filter((problem) => problem !== false)
}

export function problemsOfChange(settings: Settings, change: SettingsChange): FieldError[] {
  const { data, error } = z.safeParse(settingsChangeSchema, change)
  if (error) return fieldErrors(error)
  return problemsBetween({ ...settings, ...definedOnly(data) })
}

export function definedOnly(change: Partial<z.output<typeof readableSettingsSchema>>): Partial<Settings> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

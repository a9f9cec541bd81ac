import type { Transaction } from 'kysely'
import sharp from 'sharp'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import { ConfigurationError } from '#server/env.ts'
import { createAnnouncementChanges } from '#server/features/announcements/change-service.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { createFilesService } from '#server/features/files/service.ts'
import { tidyStudents } from '#server/features/imports/records-repository.ts'
import { createOrgChartService } from '#server/features/org-chart/service.ts'
import { createReference } from '#server/features/registration/repository.ts'
import { createSettingsRepository } from '#server/features/settings/repository.ts'
import { createSlidesService } from '#server/features/slideshow/service.ts'
import { officeItself } from '#server/lib/access.ts'
import { ownActor, type Staff } from '#server/lib/actor.ts'
import { createFormatting } from '#server/lib/formatting.ts'
import { categoryOf } from '#shared/announcements/announcements.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { departments } from '#shared/org-chart/org-chart.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { consentVersion } from '#shared/registration/consent.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { academicYears, yearLevelLabels } from '#shared/students/student-choices.ts'
import content from './content.json'
import { addStudents, findRecords } from './demo-repository.ts'
import { fillAttendance } from './fill-attendance.ts'
import { fillOwnPage } from './fill-own-page.ts'
import { demoOffice, fillPapers } from './fill-papers.ts'
import { fillParts } from './fill-parts.ts'
import { fillPeople } from './fill-people.ts'
import { fillTerms } from './fill-terms.ts'
import { generateRegistration, loadTowns, type Towns } from './generate-registration.ts'
import { createRandom, type Random } from './random.ts'

/**
 * Adds the demo content for `npm start -- --demo`. Leaves a database with records unchanged: the command may be
 * repeated.
 */
export async function fillWithDemo(database: AppDatabase, print: (sentence: string) => void): Promise<void> {
  let ownPage = ''
  try {
    const count = await seedDemo({
      database,
      async content(tx, now) {
        await fillContent(tx, now)
        const academicYear = demoAcademicYears(dayInManila(now)).at(-1) ?? academicYears[0]
        const { closedTerm, openTerm } = await fillTerms(tx, now, academicYear)
        await fillPapers(tx, now, { academicYear, closedTerm: closedTerm.id })
        await fillAttendance(tx, now, openTerm)
        await fillParts(tx, now, openTerm)
        await fillPeople(tx, now, openTerm)
        ownPage = await fillOwnPage(tx, now)
      },
    })
    print(
      `Demo content added: ${count.toLocaleString('en-US')} made-up students, four terms, attendance, marks by parts, papers, certificates, people with roles, announcements, slides and an organizational chart.`,
    )
    print(ownPage)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    print(error.message)
  }
}

const defaultCount = 2_000
const defaultSeed = 9163
const batchSize = 500
const yearLevels: readonly string[] = yearLevelLabels
// The share of archived records of each academic year, the newest first.
const archivedShares = [0.015, 0.12, 0.55]
// Transfers from a school with the literacy component, which the form doesn't offer.
const transferredShare = 0.006
const serialShare = 0.7

interface SeedDemoOptions {
  database: Pick<AppDatabase, 'transact' | 'longDb'>
  count?: number
  // The same seed and day give the same students, except ids and references.
  seed?: number
  now?: Date
  content?: (tx: Transaction<Tables>, now: Date) => Promise<void>
}

interface Enlistment {
  date: Date
  academicYear: string
  yearsAgo: number
}

/**
 * Fills an empty database with realistic students of three academic years, in one transaction.
 * @returns their number
 * @throws ConfigurationError when there are records: demo data must never mix with real data
 */
export async function seedDemo(options: SeedDemoOptions): Promise<number> {
  const { database, count = defaultCount, seed = defaultSeed, now = new Date(), content } = options
  const towns = await loadTowns()
  await database.transact(
    async (tx) => {
      const hasRecords = await findRecords(tx)
      if (hasRecords !== undefined) {
        throw new ConfigurationError(
          `The database already has ${hasRecords}, so no demo content was added. ` +
            'To see the demo, set DATA_DIR to an empty folder, or DATABASE_URL to an empty database.',
        )
      }
      const random = createRandom(seed)
      const references = new Set<string>()
      const enlistments = planEnlistments(random, count, now)
      for (let start = 0; start < count; start += batchSize) {
        const batch = enlistments.slice(start, start + batchSize).map((enlistment, position) => {
          const student = createStudent(random, start + position, enlistment, towns, now)
          return { ...student, reference: newReference(references) }
        })
        await addStudents(tx, batch)
      }
      await content?.(tx, now)
    },
    { long: true },
  )
  await tidyStudents(database, count)
  return count
}

function planEnlistments(random: Random, count: number, now: Date): Enlistment[] {
  const years = demoAcademicYears(dayInManila(now))
  const choices = years.map((academicYear, index) => {
    const yearsAgo = years.length - 1 - index
    // The program grows from year to year.
    return [{ academicYear, yearsAgo }, 10 + index] as const
  })
  return Array.from({ length: count }, () => {
    const { academicYear, yearsAgo } = random.weigh(choices)
    const date = enrolmentDate(random, { academicYear, isNewest: yearsAgo === 0, now })
    return { date, academicYear, yearsAgo }
  }).sort((one, other) => one.date.getTime() - other.date.getTime())
}

function createStudent(
  random: Random,
  index: number,
  { date, academicYear, yearsAgo }: Enlistment,
  towns: Towns,
  now: Date,
) {
  const day = dayInManila(date)
  const { consent, guardianConsent, ...texts } = generateRegistration(random, index, {
    day,
    academicYear,
    towns,
  })
  if (random.chance(transferredShare)) texts.nstpComponent = 'LTS'
  // Students of last year come back for a paper.
  if (yearsAgo > 1) texts.serialNumber = generateSerialNumber(random, texts.nstpComponent, academicYear)
  const archivedDate = random.chance(archivedShares[yearsAgo] ?? 0) ? dateBetween(random, date, now) : null
  return {
    ...texts,
    yearLevel: yearLevels.indexOf(texts.yearLevel) + 1,
    id: createId({ msecs: date.getTime() }),
    registrationDate: date,
    archived: archivedDate !== null,
    archivedDate,
    version: archivedDate === null ? 1 : 2,
    // Older records agreed to the notice of their year.
    consentVersion: day < consentVersion ? `${academicYear.slice(0, 4)}-06-01.1` : consentVersion,
    consentedAt: date,
    guardianConsentedAt: guardianConsent ? date : null,
  }
}

function generateSerialNumber(random: Random, component: string, academicYear: string): string {
  if (component === 'ROTC' || !random.chance(serialShare)) return ''
  return `${component.charAt(0)}-04-${random.digits(6)}-${academicYear.slice(-2)}`
}

function dateBetween(random: Random, from: Date, until: Date): Date {
  return new Date(from.getTime() + Math.floor(random.next() * (until.getTime() - from.getTime())))
}

function newReference(taken: Set<string>): string {
  let reference = createReference()
  while (taken.has(reference)) reference = createReference()
  taken.add(reference)
  return reference
}

const dayMs = 86_400_000
const yearsSpanned = 3
// The shares of the last month and week are fixed, so that the short periods show some students.
const lastMonthShare = 0.08
const lastWeekShare = 0.03

// Manila is UTC+8 all year. Intl takes longer for one date than the rest of a record.
function dayInManila(instant: Date): CalendarDate {
  return new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
}

function demoAcademicYears(today: CalendarDate): string[] {
  const month = Number(today.slice(5, 7))
  const startYear = Number(today.slice(0, 4)) - (month < 6 ? 1 : 0)
  const begun = academicYears.filter((year) => Number(year.slice(0, 4)) <= startYear)
  return begun.length === 0 ? [academicYears[0]] : begun.slice(-yearsSpanned)
}

function enrolmentDate(
  random: Random,
  { academicYear, isNewest, now }: { academicYear: string; isNewest: boolean; now: Date },
): Date {
  if (isNewest) {
    if (random.chance(lastWeekShare)) return daysBefore(random, now, 7)
    if (random.chance(lastMonthShare)) return daysBefore(random, now, 30)
  }
  const start = Number(academicYear.slice(0, 4))
  const windows = [
    { from: `${start}-06-10`, days: 82, weight: 78 },
    { from: `${start}-09-01`, days: 120, weight: 4 },
    { from: `${start + 1}-01-03`, days: 28, weight: 18 },
  ].filter(({ from }) => startOf(from) < now.getTime())
  if (windows.length === 0) return daysBefore(random, now, 30)
  const { from, days } = random.weigh(windows.map((window) => [window, window.weight]))
  const end = Math.min(startOf(from) + days * dayMs, now.getTime())
  const day = startOf(from) + Math.floor((random.next() * (end - startOf(from))) / dayMs) * dayMs
  // From 7:00 to 23:00.
  const time = (7 + random.next() * 16) * 3_600_000
  return new Date(Math.min(day + time, now.getTime()))
}

function daysBefore(random: Random, now: Date, days: number): Date {
  return new Date(now.getTime() - Math.floor(random.next() * days * dayMs))
}

// Midnight in Manila, in ms.
function startOf(day: CalendarDate): number {
  return Date.parse(`${day}T00:00:00+08:00`)
}

const actor: Staff = { ...ownActor('command line'), access: officeItself }

// Nobody can own a domain that ends with .example (RFC 2606). No telephone number is reserved like that, so the
// demo has none.
const contact = {
  office: 'NSTP Office',
  address: 'Ground floor, Student Center, Rizal Avenue, Malolos, Bulacan',
  email: 'nstp@school.example',
  phone: '',
  hours: 'Monday to Friday, 8:00 AM to 5:00 PM',
}
const officeLinks = {
  facebook: 'https://facebook.example/nstp',
  map: 'https://www.openstreetmap.org/search?query=Malolos%2C%20Bulacan',
}
const { ROTC, CWTS, LTS } = defaultSettings.componentFacts
const componentFacts = {
  ROTC: {
    ...ROTC,
    hours: 'Saturdays, 7:00 AM to 12:00 NN, at the oval',
    uniform: 'Fatigue uniform and boots, lent by the office',
    cost: 'Tuition of 1.5 units',
  },
  CWTS: {
    ...CWTS,
    hours: 'Saturdays, 8:00 AM to 12:00 NN, in the barangay',
    uniform: 'NSTP shirt, ₱250 at the cooperative',
    cost: 'Tuition of 1.5 units',
  },
  LTS: {
    ...LTS,
    hours: 'Saturdays, 8:00 AM to 12:00 NN, at partner schools',
    uniform: 'NSTP shirt, ₱250 at the cooperative',
    cost: 'Tuition of 1.5 units',
  },
}
// Counted from the day of the demo.
const termDates = [
  { label: 'Enlistment until', inDays: 9 },
  { label: 'Orientation', inDays: 12 },
  { label: 'First training day', inDays: 14, isSaturday: true },
  { label: 'End of the semester', inDays: 130 },
]
const dataProtection = { officer: 'Rowena A. Mercado', email: 'dpo@school.example', phone: '' }

/**
 * Fills the published content through the services that the admin screens use, so that pictures, order and audit trail
 * are real.
 * @param tx all of it is written in this transaction
 */
export async function fillContent(tx: Transaction<Tables>, now: Date): Promise<void> {
  let moment = now
  const clock = () => moment
  const database: Pick<AppDatabase, 'db' | 'transact'> = { db: tx, transact: (work) => work(tx) }
  const files = createFilesService({ db: tx, clock })
  // No page is open yet.
  const options = { database, files, clock, audit: createAudit({ clock }), publish: () => undefined }
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)

  moment = ago(90)
  await fillSettings(tx, files, { at: moment, now })
  await fillChart(createOrgChartService(options))
  moment = ago(80)
  await fillSlides(createSlidesService(options))
  const format = createFormatting({ ownOrigin: undefined })
  const announcements = createAnnouncementChanges({
    ...options,
    format,
    mailHindrance: () => mailSentences.notConfigured,
  })
  for (const announcement of content.announcements) {
    moment = ago(announcement.daysAgo)
    await addAnnouncement(announcements, announcement, { from: moment, now })
  }
}

async function fillSettings(
  tx: Transaction<Tables>,
  files: ReturnType<typeof createFilesService>,
  { at, now }: { at: Date; now: Date },
): Promise<void> {
  const after = (days: number) => new Date(now.getTime() + days * dayMs)
  const { bytes } = await pictureOf('seal')
  const logo = await files.storeImage(bytes, { maxBytes: bytes.length, sidePx: 512 })
  const settings = createSettingsRepository(tx)
  const { version, changed } = await settings.readForChange()
  await settings.write(
    {
      version: version + 1,
      changed: {
        ...changed,
        ...demoOffice,
        schoolName: demoOffice.office.heiName,
        logo,
        contact,
        officeLinks,
        componentFacts,
        termDates: termDates.map(({ label, inDays, isSaturday = false }) => ({
          label,
          date: dayInManila(after(isSaturday ? inDays + daysToSaturday(after(inDays)) : inDays)),
        })),
        dataProtection,
        testimonials: content.testimonials,
        enlistment: { ...defaultSettings.enlistment, state: 'open' },
      },
    },
    at,
  )
}

function daysToSaturday(instant: Date): number {
  return 6 - new Date(`${dayInManila(instant)}T00:00Z`).getUTCDay()
}

async function fillChart(chart: ReturnType<typeof createOrgChartService>): Promise<void> {
  const ids = new Map<string, string>()
  // A position follows the one that it is under.
  for (const { picture, under, name, title, ...position } of content.positions) {
    const department = departments.find((one) => one === position.department) ?? ''
    const parentId = under === undefined ? null : (ids.get(under) ?? null)
    const photo = picture === undefined ? undefined : await pictureOf(picture)
    const { id } = await chart.add({ name, title, department, parentId }, photo, actor)
    ids.set(title, id)
  }
}

async function fillSlides(slides: ReturnType<typeof createSlidesService>): Promise<void> {
  for (const { picture, ...slide } of content.slides) await slides.add(slide, await pictureOf(picture), actor)
}

// `publishInDays` and `eventInDays` count from the day of the demo, `expireAfterDays` from the day it was written.
type DemoAnnouncement = (typeof content.announcements)[number]

async function addAnnouncement(
  announcements: ReturnType<typeof createAnnouncementChanges>,
  { title, content: text, category, pinned = false, draft = false, ...more }: DemoAnnouncement,
  { from, now }: { from: Date; now: Date },
): Promise<void> {
  const { publishInDays, expireAfterDays, eventInDays, place, picture, attachment } = more
  const after = (start: Date, days: number | undefined) =>
    days === undefined ? null : new Date(start.getTime() + days * dayMs)
  const times = { publishAt: after(now, publishInDays), expireAt: after(from, expireAfterDays) }
  // Midnight in UTC is eight in the morning in Manila.
  const eventAt = after(new Date(now.getTime() - (now.getTime() % dayMs)), eventInDays)
  const uploads = {
    image: picture === undefined ? undefined : await pictureOf(picture),
    attachment: attachment && { ...attachment, bytes: readFile(attachment.fileName) },
  }
  const written = { title, content: text, category: categoryOf(category), eventAt, place }
  await announcements.add({ ...written, pinned, draft, ...times }, uploads, actor)
}

// Bundled, so that a built product needs no source folder.
const files: Record<string, string> = import.meta.glob('./files/*', {
  query: '?raw',
  import: 'default',
  eager: true,
})

function readFile(name: string): Buffer {
  const text = files[`./files/${name}`]
  if (text === undefined) throw new Error(`The demo has no file ${name}.`)
  return Buffer.from(text)
}

// Uploads are never read as SVG (see features/files/image-decoding.ts): the reader is enabled only for our own drawings.
const svgReader = { operation: ['VipsForeignLoadSvgBuffer'] }

/** A drawing as PNG. Call it before the port opens. */
async function pictureOf(name: string) {
  sharp.unblock(svgReader)
  try {
    const bytes = await sharp(readFile(`${name}.svg`))
      .png()
      .toBuffer()
    return { bytes, fileName: 'drawing.png', mediaType: 'image/png' }
  } finally {
    sharp.block(svgReader)
  }
}

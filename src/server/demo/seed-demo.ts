import type { Transaction } from 'kysely'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import { ConfigurationError } from '#server/env.ts'
import { createReference } from '#server/features/registration/reference.ts'
import { consentVersion } from '#shared/consent.ts'
import { yearLevelLabels } from '#shared/student-choices.ts'
import { type DemoStudent, findRecords, insertStudents, vacuumStudents } from './demo-repository.ts'
import { dayInManila, demoAcademicYears, enrolmentDate } from './enrolment-dates.ts'
import { generateRegistration } from './generate-registration.ts'
import { createRandom, type Random } from './random.ts'
import { loadTowns, type Towns } from './towns.ts'

/** Students of the demo when nobody asks for another number. */
const defaultCount = 2_000
const defaultSeed = 9163
/** Rows by one statement. */
const batchSize = 1_000
const yearLevels: readonly string[] = yearLevelLabels
/** Shares of an academic year's records that are archived, the newest year first. */
const archivedShares = [0.015, 0.12, 0.55]
/** Students who came over from a school with the literacy component, which the form doesn't offer. */
const transferredShare = 0.006
/** Students of the years before who have their serial number by now. */
const serialShare = 0.7

interface SeedDemoOptions {
  database: Pick<AppDatabase, 'transact' | 'longDb'>
  count?: number
  /** The same seed and day give the same students, but for their ids and references. */
  seed?: number
  now?: Date
  /** Adds what else the demo shows, in the same transaction. */
  content?: (tx: Transaction<Tables>, now: Date) => Promise<void>
}

/** When somebody enlisted, and how long ago that academic year was: 0 for the newest. */
interface Enlistment {
  date: Date
  academicYear: string
  yearsAgo: number
}

/**
 * Fills an empty database with realistic students of three academic years; all of them or none.
 *
 * @returns their number
 * @throws ConfigurationError when there are records already: a demo must never mix with real ones
 */
export async function seedDemo({
  database,
  count = defaultCount,
  seed = defaultSeed,
  now = new Date(),
  content,
}: SeedDemoOptions): Promise<number> {
  const towns = await loadTowns()
  await database.transact(
    async (tx) => {
      const held = await findRecords(tx)
      if (held !== undefined) {
        throw new ConfigurationError(
          `The database holds ${held} already, so the demo content was not added. ` +
            'Name an empty folder in DATA_DIR to see the demo.',
        )
      }
      const random = createRandom(seed)
      const references = new Set<string>()
      const enlistments = planEnlistments(random, count, now)
      for (let start = 0; start < count; start += batchSize) {
        const batch = enlistments.slice(start, start + batchSize).map((enlistment, position) => {
          const reference = newReference(references)
          return createStudent(random, start + position, { enlistment, towns, now, reference })
        })
        await insertStudents(tx, batch)
      }
      await content?.(tx, now)
    },
    { long: true },
  )
  await vacuumStudents(database)
  return count
}

/** In the order of time, in which real records come. */
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

interface Surroundings {
  enlistment: Enlistment
  towns: Towns
  now: Date
  reference: string
}

function createStudent(
  random: Random,
  index: number,
  { enlistment: { date, academicYear, yearsAgo }, towns, now, reference }: Surroundings,
): DemoStudent {
  const day = dayInManila(date)
  const texts = generateRegistration(random, index, { day, academicYear, towns })
  if (random.chance(transferredShare)) texts.nstpComponent = 'LTS'
  if (yearsAgo > 0) texts.serialNumber = generateSerialNumber(random, texts.nstpComponent, academicYear)
  const archivedDate = random.chance(archivedShares[yearsAgo] ?? 0) ? dateBetween(random, date, now) : null
  return {
    texts,
    yearLevel: yearLevels.indexOf(texts.yearLevel) + 1,
    id: createId({ msecs: date.getTime() }),
    reference,
    registrationDate: date,
    archivedDate,
    version: archivedDate === null ? 1 : 2,
    consentVersion,
    consentedAt: date,
  }
}

/** As the commission on higher education gives them, to the components that it numbers. */
function generateSerialNumber(random: Random, component: string, academicYear: string): string {
  if (component === 'ROTC' || !random.chance(serialShare)) return ''
  return `${component.charAt(0)}-04-${random.digits(6)}-${academicYear.slice(-2)}`
}

function dateBetween(random: Random, from: Date, until: Date): Date {
  return new Date(from.getTime() + Math.floor(random.next() * (until.getTime() - from.getTime())))
}

function newReference(taken: Set<string>): string {
  for (;;) {
    const reference = createReference()
    if (!taken.has(reference)) {
      taken.add(reference)
      return reference
    }
  }
}

import type { Transaction } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { createContinuing } from '#server/features/terms/continuing-service.ts'
import { createMarks } from '#server/features/terms/mark-service.ts'
import { createPlacing } from '#server/features/terms/placing-service.ts'
import { registrarList } from '#server/features/terms/registrar-list-service.ts'
import { createSectionsService, createTermsService } from '#server/features/terms/service.ts'
import { officeItself } from '#server/lib/access.ts'
import { ownActor, type Staff } from '#server/lib/actor.ts'
import { type CalendarDate, calendarDateOf } from '#shared/program-calendar.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { type Continuation, proposedChoices } from '#shared/terms/continuing.ts'
import type { NewTerm, SectionEdit, SectionTakes } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { applyList } from './apply-list.ts'
import { createRandom } from './random.ts'

export const demoTimeZone = 'Asia/Manila'

export const actor: Staff = { ...ownActor('command line'), access: officeItself }

const plain = { unit: '', takes: 'all', courses: [], adviser: '', meets: '' } as const

const officers = ['Cdt. Maj. Ramos', 'Cdt. Capt. Dizon', 'Cdt. Capt. Pascual', 'Cdt. 1Lt. Abad']

const platoons: SectionEdit[] = ['Alpha', 'Bravo', 'Charlie', 'Delta'].flatMap((unit, index) => {
  const takes: SectionTakes = index < 2 ? 'Male' : 'Female'
  return [1, 2].map((number) => ({
    ...plain,
    courses: [],
    unit,
    takes,
    name: `Platoon ${number}`,
    capacity: 37,
    adviser: officers[index] ?? '',
    meets: 'Saturday 7:00, parade ground',
  }))
})

const advisers = ['Ms. Bautista', 'Mr. Villanueva', 'Ms. Aquino', 'Mr. Lim']

const sections: SectionEdit[] = Array.from({ length: 8 }, (_, index) => ({
  ...plain,
  courses: [],
  name: `Section ${index + 1}`,
  capacity: 50,
  adviser: advisers[index % advisers.length] ?? '',
  meets: index < 4 ? 'Saturday 8:00, main building' : 'Sunday 8:00, main building',
}))

const dayMs = 86_400_000
// Days before now: of the two closed terms, of the open one, and of the registrar's list of the open one.
const daysAgo = { closed: 330, continued: 180, open: 60, list: 40 }
// One of so many students isn't on the registrar's list.
const unlisted = 12
// Marks of the school's scale with their weight; '' for none yet.
const marks = [
  ['1.25', 8],
  ['1.50', 20],
  ['1.75', 24],
  ['2.00', 20],
  ['2.50', 12],
  ['3.00', 6],
  ['5.00', 3],
  ['INC', 4],
  ['DRP', 2],
  ['', 1],
] as const

/**
 * A year of two closed terms with marks, an open one with its students in sections and the registrar's list, and the next one planned:
 * through the services that the screen uses.
 * @param tx all of it is written in this transaction
 * @param academicYear of the open term
 * @returns the second closed term and the open one
 */
export async function fillTerms(
  tx: Transaction<Tables>,
  now: Date,
  academicYear: string,
): Promise<{ closedTerm: Term; openTerm: Term }> {
  const begin = Number(academicYear.slice(0, 4))
  const at = (days: number) => servicesAt(tx, new Date(now.getTime() - days * dayMs))

  const before = at(daysAgo.closed)
  await close(before, await addFilled(before, firstSemester(begin - 1)))
  const then = at(daysAgo.continued)
  const second = await then.terms.add(secondSemester(begin - 1, 'open'), actor)
  const { basis } = await then.continuing.preview(second.id, continuation, officeItself)
  await then.continuing.continue(second.id, { ...continuation, basis }, undefined, actor)
  await close(then, second)

  const { terms, ...services } = at(daysAgo.open)
  const current = currentTerms(calendarDateOf(now, demoTimeZone), begin)
  const open = await addFilled({ terms, ...services }, current.open)
  await terms.add(current.planned, actor)
  await compareWithRegistrar(tx, open.id, at(daysAgo.list))
  return { closedTerm: second, openTerm: open }
}

async function compareWithRegistrar(
  tx: Transaction<Tables>,
  termId: string,
  { instant, audit }: Services,
): Promise<void> {
  const members = await registrarList.members(tx, { aboutId: termId, access: officeItself })
  await applyList(tx, {
    list: registrarList,
    about: { purpose: 'registrar', termId },
    fileName: 'Registrar, officially enrolled.xlsx',
    rows: members.filter((_, index) => index % unlisted > 0).map((member) => ({ ...member, fields: {} })),
    instant,
    audit,
  })
}

type Services = ReturnType<typeof servicesAt>

/** What a service needs that writes in `tx` as if it were `instant`. */
export function contextAt(tx: Transaction<Tables>, instant: Date) {
  const clock = () => instant
  const database: Pick<AppDatabase, 'db' | 'transact'> = { db: tx, transact: (work) => work(tx) }
  return {
    database,
    clock,
    audit: createAudit({ clock }),
    // No page is open yet.
    publish: () => undefined,
    timeZone: demoTimeZone,
    settings: () => defaultSettings,
  }
}

function servicesAt(tx: Transaction<Tables>, instant: Date) {
  const options = contextAt(tx, instant)
  return {
    instant,
    audit: options.audit,
    terms: createTermsService(options),
    sections: createSectionsService(options),
    placing: createPlacing(options),
    marks: createMarks(options),
    continuing: createContinuing(options),
  }
}

const firstSemester = (year: number): NewTerm => ({
  academicYear: `${year}-${year + 1}`,
  semester: 1,
  startsOn: `${year}-08-03`,
  endsOn: `${year}-12-19`,
  state: 'open',
  copyFrom: null,
})

const secondSemester = (year: number, state: NewTerm['state']): NewTerm => ({
  academicYear: `${year}-${year + 1}`,
  semester: 2,
  startsOn: `${year + 1}-01-11`,
  endsOn: `${year + 1}-05-29`,
  state,
  copyFrom: null,
})

// Days before and after today that the open term has at least, unless the academic year began since. Saturdays for training
// follow from them, and how long a facilitator can sign in.
const openDays = { before: 70, after: 35 }
const pauseDays = 14
const weeksOfSecond = 20

/** The open term and the planned one. On any day of the academic year the open one lasts until after it. */
export function currentTerms(today: CalendarDate, year: number): { open: NewTerm; planned: NewTerm } {
  const [first, second] = [firstSemester(year), secondSemester(year, 'planned')]
  const begun = later(`${year}-06-01`, daysAfter(today, -openDays.before))
  const [startsOn = begun] = [begun, first.startsOn].sort()
  const endsOn = later(first.endsOn, daysAfter(today, openDays.after))
  const next = later(second.startsOn, daysAfter(endsOn, pauseDays))
  return {
    open: { ...first, startsOn, endsOn },
    planned: { ...second, startsOn: next, endsOn: later(second.endsOn, daysAfter(next, weeksOfSecond * 7)) },
  }
}

const later = (one: CalendarDate, other: CalendarDate) => (one > other ? one : other)

const daysAfter = (date: CalendarDate, days: number): CalendarDate =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)

const continuation: Continuation = { choices: proposedChoices, copySections: true }

const filled = [
  ['ROTC', platoons],
  ['CWTS', sections],
] as const

async function addFilled({ terms, placing, ...services }: Services, term: NewTerm): Promise<Term> {
  const added = await terms.add(term, actor)
  for (const [component, own] of filled) {
    await services.sections.add(added.id, { component, level: 1, sections: own }, actor)
    const placement = { component, level: 1, order: 'name', fill: 'evenly', withoutSections: false } as const
    const { basis } = await placing.preview(added.id, placement, officeItself)
    await placing.place(added.id, { ...placement, basis }, undefined, actor)
  }
  return added
}

/** Enters the marks of a term and closes it. */
async function close(services: Services, { id, version, startsOn, endsOn }: Term): Promise<void> {
  await enterMarks(services, id)
  await services.terms.edit(id, version, { startsOn, endsOn, state: 'closed' }, actor)
}

async function enterMarks(services: Services, termId: string): Promise<void> {
  const random = createRandom(9163)
  for (const { id: section, component, level } of await services.sections.list(termId, officeItself)) {
    const { items } = await services.marks.list(termId, { component, level, section }, actor)
    const entered = items.map(({ id, version }) => ({
      ...{ id, version, isProposed: false },
      mark: random.weigh(marks),
    }))
    await services.marks.enter(termId, { items: entered, reason: '' }, undefined, actor)
  }
}

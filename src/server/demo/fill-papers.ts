import type { Transaction } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Tables } from '#server/database/schema.ts'
import { createAudit } from '#server/features/audit/repository.ts'
import { createCertificates } from '#server/features/certificates/service.ts'
import { createChecks } from '#server/features/papers/check-service.ts'
import { createPapersRepository } from '#server/features/papers/repository.ts'
import { createSerialsList } from '#server/features/papers/serial-service.ts'
import { createPapersService } from '#server/features/papers/service.ts'
import { loadPostalCodes } from '#server/features/registration/postal-codes.ts'
import { officeItself } from '#server/lib/access.ts'
import { ownActor, type Staff } from '#server/lib/actor.ts'
import { defaultOffice } from '#shared/papers/office.ts'
import { defaultOptions, type NewPaper } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { applyList } from './apply-list.ts'
import { demoTimeZone } from './fill-terms.ts'

const actor: Staff = { ...ownActor('command line'), access: officeItself }

/** Settings without which no paper can be frozen. */
export const demoOffice: Pick<typeof defaultSettings, 'office' | 'signatories'> = {
  office: {
    ...defaultOffice.office,
    heiName: 'Sample State College',
    heiAddress: 'Rizal Avenue, Malolos, Bulacan',
    heiType: 'SUCs',
    region: '03-Central Luzon',
    addressee: 'The Regional Director\nCommission on Higher Education, Region III',
  },
  signatories: [
    { name: 'Lourdes M. Reyes', title: 'NSTP Director', signs: 'both' },
    { name: 'Engr. Ramon T. Villanueva', title: 'Vice President for Academic Affairs', signs: 'papers' },
    { name: 'Dr. Teresita C. Aquino', title: 'College President', signs: 'both' },
  ],
}

const dayMs = 86_400_000
// Days before now at which the demo's papers reach each state.
const daysAgo = { sent: 170, answered: 150, numbered: 120, certified: 100, grades: 20, current: 5 }
// Graduates at the end of the list whose numbers CHED still owes.
const withoutNumber = 6
const certified = 40

/**
 * Papers in every state, of the year that is over and of this one: through the services that the screens use.
 * @param tx all of it is written in this transaction
 * @param academicYear of the open term
 * @param closedTerm of the year before
 */
export async function fillPapers(
  tx: Transaction<Tables>,
  now: Date,
  { academicYear, closedTerm }: { academicYear: string; closedTerm: string },
): Promise<void> {
  const begin = Number(academicYear.slice(0, 4))
  const before = `${begin - 1}-${begin}`
  const at = (days: number) => servicesAt(tx, new Date(now.getTime() - days * dayMs))

  const workbook = await send(at(daysAgo.sent), {
    ...ched,
    academicYear: before,
    dueOn: `${begin}-06-15`,
  })
  await answer(at(daysAgo.answered), workbook, { state: 'accepted', reference: 'RO3-114', note: '' })
  await takeSerials(tx, at(daysAgo.numbered), workbook)
  await certify(at(daysAgo.certified), before)

  const list = await send(at(daysAgo.sent), {
    ...ched,
    layout: 'osds-2b',
    academicYear: before,
    // The dashboard then shows a paper that is due.
    dueOn: dayOf(new Date(now.getTime() + 7 * dayMs)),
    components: ['ROTC'],
  })
  await answer(at(daysAgo.answered), list, {
    state: 'returned',
    reference: 'RO3-121',
    note: 'Please write the official names of the programs, and add the barangay to each address.',
  })

  const grades = { ...ched, academicYear: before, termId: closedTerm, dueOn: null }
  await send(at(daysAgo.grades), { ...grades, layout: 'registrar-grades' })
  await freeze(at(daysAgo.current), { ...grades, layout: 'rotc-grades', components: ['ROTC'] })

  const draft = {
    ...ched,
    academicYear,
    dueOn: `${begin + 1}-06-15`,
    note: 'Ask the deans for missing marks',
  }
  await at(daysAgo.current).papers.add(draft, actor)
}

const ched: Omit<NewPaper, 'academicYear'> = {
  layout: 'ched-workbook',
  title: '',
  termId: null,
  components: ['ROTC', 'CWTS', 'LTS'],
  options: defaultOptions,
  dueOn: null,
  note: '',
}

type Services = ReturnType<typeof servicesAt>

function servicesAt(tx: Transaction<Tables>, instant: Date) {
  const clock = () => instant
  const database: Pick<AppDatabase, 'db' | 'transact'> = { db: tx, transact: (work) => work(tx) }
  const audit = createAudit({ clock })
  // No page is open yet.
  const context = { database, clock, audit, publish: () => undefined, timeZone: demoTimeZone }
  const settings = () => ({ ...defaultSettings, ...demoOffice })
  const checks = createChecks(context, { settings, loadTowns: loadPostalCodes })
  return {
    instant,
    audit,
    checks,
    papers: createPapersService(context, { settings, countStops: checks.countStops }),
    serials: createSerialsList({ settings, audit }),
    certificates: createCertificates(context, {
      // Only to have some: the office sets its own before it prints.
      publicAddress: () => 'https://nstp.example',
      signatories: () => [],
    }),
  }
}

const dayOf = (instant: Date) => calendarDateOf(instant, demoTimeZone)

/** Makes, checks and freezes a paper. People who hinder it are left out. */
async function freeze({ papers, checks }: Services, wanted: NewPaper): Promise<Paper> {
  const made = await papers.add(wanted, actor)
  const { findings } = await checks.check(made.id, actor)
  for (const { code, people } of findings.filter(({ severity }) => severity === 'stop')) {
    const subjects = [...new Set(people.flatMap(({ ids }) => ids.slice(-1)))]
    const reason = 'To be clarified with the registrar'
    await checks.answer(made.id, { code, subjects, answer: 'left out', reason }, actor)
  }
  const { basis } = await checks.check(made.id, actor)
  return await papers.freeze(made.id, made.version, basis, actor)
}

async function send(services: Services, wanted: NewPaper): Promise<Paper> {
  const { papers, instant } = services
  const frozen = await freeze(services, wanted)
  const step = { state: 'sent', on: dayOf(instant), how: 'by e-mail', reference: '', note: '' } as const
  return await papers.setState(frozen.id, frozen.version, step, actor)
}

async function answer(
  { papers, instant }: Services,
  { id, version }: Paper,
  said: { state: 'accepted' | 'returned'; reference: string; note: string },
): Promise<void> {
  await papers.setState(id, version, { ...said, on: dayOf(instant), how: '' }, actor)
}

async function takeSerials(
  tx: Transaction<Tables>,
  { serials, audit, instant }: Services,
  { id: paperId, academicYear, graduates }: Paper,
): Promise<void> {
  const lines = await createPapersRepository(tx, officeItself).listRows(paperId, 'graduates', {
    after: 0,
    limit: Math.max(graduates - withoutNumber, 0),
  })
  const rows = lines.flatMap(({ studentId }, index) => {
    const serialNumber = `C-03-${100_001 + index}-${academicYear.slice(-2)}`
    return studentId === null
      ? []
      : [{ enrolmentId: studentId, recordId: studentId, fields: { serialNumber } }]
  })
  await applyList(tx, {
    list: serials,
    about: { purpose: 'serials', paperId, reference: 'RO3-NSTP-0268', receivedOn: dayOf(instant) },
    fileName: 'NSTP serial numbers, Region III.xlsx',
    rows,
    instant,
    audit,
  })
}

async function certify({ certificates, instant }: Services, academicYear: string): Promise<void> {
  const wanted = { academicYear, component: 'CWTS', section: null, paper: null, withoutSerial: false }
  const { items } = await certificates.graduates(wanted, actor)
  const { batchId } = await certificates.issue(
    {
      kind: 'completion',
      students: items.slice(0, certified).map(({ id }) => id),
      academicYear,
      issuedOn: dayOf(instant),
      signatories: demoOffice.signatories
        .filter(({ signs }) => signs === 'both')
        .map(({ name, title }) => ({ name, title })),
      withoutSerial: false,
    },
    undefined,
    actor,
  )
  const printed = await certificates.print({ batchId, after: '' }, { actor, admit: async () => undefined })
  const [first] = printed.items
  if (first) await certificates.revoke(first.id, 'The wrong middle name was printed', actor)
}

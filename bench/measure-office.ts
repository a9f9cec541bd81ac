import type { EnrolmentPage } from '#shared/terms/enrolments-response.ts'
import type { Placement } from '#shared/terms/placing.ts'
import type { NewSections, NewTerm } from '#shared/terms/terms.ts'
import type { PlacementPreview, Section, Term } from '#shared/terms/terms-response.ts'
import { type Api, createApi } from './api.ts'
import { type Bench, isQuick, seconds } from './bench.ts'
import { compare, latencyText, rateText, ratio } from './compare.ts'
import { csvOf, generateStudents, timeImport } from './import-time.ts'
import { runLoad } from './load.ts'
import { atMost, type Figure, format } from './report.ts'
import { programRequests, sectionRequests, summaryRequests, unplacedRequests } from './workload.ts'

const records = isQuick ? 10_000 : 100_000
const placed = 5_000
const sections = 140
const onList = 20_000
// No generated record has it.
const academicYear = '2027-2028'

const days = { startsOn: '2027-08-02', endsOn: '2027-12-18' }

// Of other students, in two terms that are over: what every question about who waits has to look through.
const pastEnrolments = `
  with past as (
    insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
    select gen_random_uuid(), '2026-2027', level, '2026-08-03', '2026-12-19', 'closed', now() from generate_series(1, 2) level
    returning id, semester
  )
  insert into enrolments (id, term_id, student_id, component, level, status_on, entry, outcome)
  select gen_random_uuid(), past.id, students.id, 'CWTS', semester, '2026-08-10', 'new', 'passed'
  from past, students where students.academic_year <> '${academicYear}'`

// Generated records have a number only now and then; a registrar knows everybody's.
const intake = `
  update students set academic_year = '${academicYear}', nstp_component = 'CWTS', archived = false, archived_date = null,
    restriction = null, student_id = '27-' || reference
  where id in (select id from students order by id limit ${placed})`

// What a bare server would do for a confirmation.
const oneInsert = (termId: string) => `
  begin;
  insert into enrolments (id, term_id, student_id, component, level, status_on, entry)
  select gen_random_uuid(), '${termId}', id, 'CWTS', 1, now(), 'new' from students
  where academic_year = '${academicYear}';
  rollback`

export async function measureOffice({ product, reference, database, cookie }: Bench): Promise<Figure[]> {
  const { api, id } = await openTerm({ product, database, cookie })
  const { post } = api
  const load = (next: () => Buffer) => runLoad({ port: product.port, connections: 8, seconds, next })
  const summary = await load(summaryRequests(product.port, cookie, id))
  const unplaced = await load(unplacedRequests(product.port, cookie, id))
  const begin = performance.now()
  await database.run(oneInsert(id))
  const bare = (performance.now() - begin) / 1000

  const { preview, confirmed } = await placeEverybody(api, id)
  const own = { termId: id, sections: await sectionsOf(api, id) }
  const page = await compare({ product, reference }, (port) =>
    runLoad({ port, connections: 8, seconds, next: sectionRequests(port, cookie, own) }),
  )
  const people = await peopleOf(api, id)
  const program = await load(
    programRequests(
      product.port,
      cookie,
      people.map((student) => student.id),
    ),
  )
  const list = await timeImport(product.port, cookie, await registrarsFile(people, id))
  // A few generated names contradict themselves ("Cruz III, Ana, Jr.").
  if (list.imported < placed * 0.99) throw new Error(`${list.imported} became official`)
  const listed = list.upload + list.check + list.run
  const undone = await post(`enrolment-batches/${confirmed.answer.batchId}/undo`, {})
  const beside = `${records.toLocaleString('en')} records`
  return [
    {
      what: `summary of a term, ${beside}, 8 connections`,
      product: latencyText(summary),
      reference: '',
      aim: atMost(summary.p99, 60, ' ms'),
    },
    {
      what: `a page of ${placed.toLocaleString('en')} who wait for a section, ${beside}, 8 connections`,
      product: latencyText(unplaced),
      reference: '',
      aim: atMost(unplaced.p99, 60, ' ms'),
    },
    {
      what: `students of a section, ${beside}, 8 connections`,
      product: rateText(page.product),
      reference: rateText(page.reference),
      aim: [atMost(page.product.p99, 25, ' ms'), ratio(page, 1)].join('; '),
    },
    {
      what: `what a student did of NSTP, ${beside}, 8 connections`,
      product: latencyText(program),
      reference: '',
      aim: atMost(program.p99, 10, ' ms'),
    },
    {
      what: `${placed.toLocaleString('en')} students into ${sections} sections, ${beside}: preview, confirmation, undo`,
      product: `${format(preview.took)} s, ${format(confirmed.took)} s, ${format(undone.took)} s`,
      reference: `${format(bare)} s (one insert)`,
      aim: [atMost(preview.took, 1, ' s'), atMost(confirmed.took, 3, ' s')].join('; '),
    },
    {
      what: `registrar's list of ${onList.toLocaleString('en')}, ${beside}: upload, match, apply; a page of the list meanwhile`,
      product: `${format(listed)} s (upload ${format(list.upload)}, match ${format(list.check)}, apply ${format(list.run)}; ${list.imported.toLocaleString('en')} official); p99 ${format(list.listP99)} ms`,
      reference: '',
      aim: [atMost(listed, 40, ' s'), atMost(list.listP99, 120, ' ms')].join('; '),
    },
  ]
}

/** An open term with sections, before which many students did another. */
export async function openTerm(
  { product, database, cookie }: Pick<Bench, 'product' | 'database' | 'cookie'>,
  count = records,
) {
  await database.refill(count)
  for (const statement of [intake, pastEnrolments, 'vacuum (analyze)']) await database.run(statement)
  const api = createApi(product.port, cookie)
  const newTerm: NewTerm = { academicYear, semester: 1, ...days, state: 'open', copyFrom: null }
  const { id } = (await api.post<Term>('terms', newTerm)).answer
  const plain = { unit: '', capacity: 40, takes: 'all', courses: [], adviser: '', meets: '' } as const
  const newSections: NewSections = {
    component: 'CWTS',
    level: 1,
    sections: Array.from({ length: sections }, (_, index) => ({
      ...plain,
      courses: [],
      name: `Section ${index + 1}`,
    })),
  }
  await api.post(`terms/${id}/sections`, newSections)
  return { api, id }
}

export async function placeEverybody({ post }: Api, termId: string) {
  const placement: Placement = {
    component: 'CWTS',
    level: 1,
    order: 'name',
    fill: 'evenly',
    withoutSections: false,
  }
  const preview = await post<PlacementPreview>(`terms/${termId}/placements/preview`, placement)
  const { basis } = preview.answer
  const confirmed = await post<{ batchId: string; count: number }>(`terms/${termId}/placements`, {
    ...placement,
    basis,
  })
  if (confirmed.answer.count !== placed) throw new Error(`${confirmed.answer.count} were placed`)
  return { preview, confirmed }
}

export async function sectionsOf(api: Api, termId: string): Promise<string[]> {
  const { items } = await api.read<{ items: Section[] }>(`terms/${termId}/sections`)
  return items.map(({ id }) => id)
}

export async function peopleOf(api: Api, termId: string) {
  const people: EnrolmentPage['items'][number]['student'][] = []
  for (let page = 1; people.length < placed; page += 1) {
    const path = `terms/${termId}/enrolments?pageSize=100&page=${page}`
    const { items } = await api.read<EnrolmentPage>(path)
    if (items.length === 0) throw new Error(`the list ends with ${people.length}`)
    people.push(...items.map(({ student }) => student))
  }
  return people
}

/** Those of the term, and three times as many who aren't. */
async function registrarsFile(
  enrolled: readonly { lastName: string; firstName: string; studentId: string; course: string }[],
  termId: string,
) {
  const people = [...(await generateStudents(onList - placed)), ...enrolled]
  const rows = people.map(({ lastName, firstName, studentId, course }) => [
    studentId,
    `${lastName}, ${firstName}`.toUpperCase(),
    course,
    'CWTS',
  ])
  const content = csvOf([['Student No.', 'Name', 'Course', 'NSTP Component'], ...rows])
  return { content, query: `&purpose=registrar&term=${termId}` }
}

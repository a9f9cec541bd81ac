import type { EnrolmentPage } from '#shared/terms/enrolments-response.ts'
import type { Placement } from '#shared/terms/placing.ts'
import type { NewSections, NewTerm } from '#shared/terms/terms.ts'
import type { PlacementPreview, Term } from '#shared/terms/terms-response.ts'
import { type Bench, isQuick, seconds } from './bench.ts'
import { latencyText } from './compare.ts'
import { csvOf, generateStudents, timeImport } from './import-time.ts'
import { runLoad } from './load.ts'
import { atMost, type Figure, format } from './report.ts'
import { summaryRequests } from './workload.ts'

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

export async function measureOffice({ product, database, cookie }: Bench): Promise<Figure[]> {
  await database.refill(records)
  for (const statement of [intake, pastEnrolments, 'vacuum (analyze)']) await database.run(statement)

  async function post<Answer>(path: string, body: unknown): Promise<{ answer: Answer; took: number }> {
    const begin = performance.now()
    const response = await fetch(`http://127.0.0.1:${product.port}/api/${path}`, {
      method: 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    const answer: Answer = await response.json()
    return { answer, took: (performance.now() - begin) / 1000 }
  }

  const newTerm: NewTerm = { academicYear, semester: 1, ...days, state: 'open', copyFrom: null }
  const { id } = (await post<Term>('terms', newTerm)).answer
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
  await post(`terms/${id}/sections`, newSections)
  const summary = await runLoad({
    port: product.port,
    connections: 8,
    seconds,
    next: summaryRequests(product.port, cookie, id),
  })
  const begin = performance.now()
  await database.run(oneInsert(id))
  const bare = (performance.now() - begin) / 1000

  const placement: Placement = {
    component: 'CWTS',
    level: 1,
    order: 'name',
    fill: 'evenly',
    withoutSections: false,
  }
  const preview = await post<PlacementPreview>(`terms/${id}/placements/preview`, placement)
  const { basis } = preview.answer
  const confirmed = await post<{ batchId: string; count: number }>(`terms/${id}/placements`, {
    ...placement,
    basis,
  })
  if (confirmed.answer.count !== placed) throw new Error(`${confirmed.answer.count} were placed`)
  const list = await timeImport(product.port, cookie, await registrarsFile(product.port, cookie, id))
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

/** Those of the term, and three times as many who aren't. */
async function registrarsFile(port: number, cookie: string, termId: string) {
  const people: { lastName: string; firstName: string; studentId: string; course: string }[] =
    await generateStudents(onList - placed)
  for (let page = 1; people.length < onList; page += 1) {
    const path = `terms/${termId}/enrolments?pageSize=100&page=${page}`
    const answer = await fetch(`http://127.0.0.1:${port}/api/${path}`, { headers: { Cookie: cookie } })
    const { items }: EnrolmentPage = await answer.json()
    if (items.length === 0) throw new Error(`the list ends with ${people.length}`)
    people.push(...items.map(({ student }) => student))
  }
  const rows = people.map(({ lastName, firstName, studentId, course }) => [
    studentId,
    `${lastName}, ${firstName}`.toUpperCase(),
    course,
    'CWTS',
  ])
  const content = csvOf([['Student No.', 'Name', 'Course', 'NSTP Component'], ...rows])
  return { content, query: `&purpose=registrar&term=${termId}` }
}

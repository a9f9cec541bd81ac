import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createReference } from '#server/features/registration/repository.ts'
import { type Bench, isQuick } from './bench.ts'
import { percentile } from './load.ts'
import { atMost, type Figure, format } from './report.ts'

const misses = isQuick ? 200 : 2_000
const students = isQuick ? 50 : 500
// ms: the students come one after another in it.
const withinMs = isQuick ? 6_000 : 60_000
const birthDate = '2007-03-14'
const slip = 'EFGH6789STUV'

/** The students who enter: a slip each, and a term with eight days that were called and six to come. */
const attended = (skipped: number) => `
  with entering as (
    update students set nstp_component = 'CWTS', archived = false, archived_date = null, restriction = null
    where id in (select id from students order by id offset ${skipped} limit ${students}) returning id
  ), slips as (
    insert into student_keys (student_id, slip_hash, slip_made_at)
    select id, sha256('${slip}'), now() from entering
    on conflict (student_id) do update set slip_hash = excluded.slip_hash, slip_made_at = excluded.slip_made_at
  ), term as (
    insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
    values (gen_random_uuid(), '2027-2028', 1, current_date - 60, current_date + 60, 'open', now()) returning id
  ), enrolled as (
    insert into enrolments (id, term_id, student_id, component, level, status_on, entry)
    select gen_random_uuid(), term.id, entering.id, 'CWTS', 1, current_date - 60, 'new' from term, entering
  ), days as (
    insert into training_days (id, term_id, component, held_on, hours, state)
    select gen_random_uuid(), id, 'CWTS', current_date + 7 * week + 1, 4, case when week < 0 then 'closed' else 'planned' end
    from term, generate_series(-8, 5) week returning id, state, extract(week from held_on)::int % 8 as week
  )
  insert into attendance (day_id, student_id, state, source, at)
  select days.id, entering.id, case week when 0 then 'absent' when 1 then 'late' else 'present' end, 'roll', now()
  from days, entering where days.state = 'closed'`

/** What a miss takes at /my, by what is wrong, and how soon a school's students get in beside the office's work. */
export async function measureOwnPage({ product, database, cookie }: Bench): Promise<Figure[]> {
  await database.refill(10_000)
  await database.run(`update students set date_of_birth = '${birthDate}'`)
  await database.run(attended(2 * misses))
  const url = `http://127.0.0.1:${product.port}/api`
  const references = await readReferences(database, 2 * misses + students)

  async function enter(path: string, body: object, status: number): Promise<{ ms: number; cookie: string }> {
    const begun = performance.now()
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${text}`)
    const own = answer.headers.getSetCookie().map((one) => one.split(';')[0])
    return { ms: performance.now() - begun, cookie: own.join('; ') }
  }

  const code = 'ABCD2345WXYZ'
  const kinds: Record<string, (index: number) => Promise<{ ms: number }>> = {
    'a wrong birth date': (index) =>
      enter('/my/session', { reference: references[index], dateOfBirth: '2007-03-15' }, 422),
    'an unknown code': () =>
      enter('/my/session', { reference: createReference(), dateOfBirth: birthDate }, 422),
    'a slip of no record': () => enter('/my/session/slip', { reference: createReference(), code }, 422),
    'a wrong slip': (index) =>
      enter('/my/session/slip', { reference: references[misses + index], code }, 422),
  }
  const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]))
  // By turns, so that a slower moment of the machine is in all of them.
  for (let index = 0; index < misses; index++) {
    for (const [kind, run] of Object.entries(kinds)) times.get(kind)?.push((await run(index)).ms)
  }
  const medians = [...times].map(([kind, all]) => ({ kind, median: medianOf(all) }))
  const [wrongDate, unknown, noRecord, wrongSlip] = medians.map(({ median }) => median)
  const difference = Math.max(gap(wrongDate, unknown), gap(noRecord, wrongSlip))

  async function readOffice(path: string): Promise<number> {
    const begun = performance.now()
    const answer = await fetch(`${url}/${path}`, { headers: { Cookie: cookie } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return performance.now() - begun
  }

  /** One reader of the office, who looks at a list, a name and the statistics by turns. */
  async function workInOffice(): Promise<number[]> {
    const paths = ['students?archive=active', 'students?archive=active&search=santos', 'statistics']
    const taken: number[] = []
    for (const end = performance.now() + withinMs; performance.now() < end; await sleep(200))
      for (const path of paths) taken.push(await readOffice(path))
    return taken
  }

  async function enterOwnPage(reference: string | undefined): Promise<number> {
    const begun = performance.now()
    const session = await enter('/my/session/slip', { reference, code: slip }, 201)
    const headers = { Cookie: session.cookie, Accept: 'text/html' }
    const page = await fetch(`http://127.0.0.1:${product.port}/my`, { headers })
    const html = await page.text()
    if (!page.ok || !html.includes('id="attendance"')) throw new Error(`/my: ${page.status}`)
    return performance.now() - begun
  }

  const [beside, opened] = await Promise.all([
    workInOffice(),
    Promise.all(
      references.slice(2 * misses).map(async (reference, index) => {
        await sleep((index * withinMs) / students)
        return await enterOwnPage(reference)
      }),
    ),
  ])
  // After them: the change of all records above is tidied meanwhile.
  const alone = await workInOffice()
  opened.sort((one, other) => one - other)
  const p99 = percentile(opened, 0.99)
  return [
    {
      what: `medians of ${misses.toLocaleString('en')} wrong entries each at /my`,
      product: medians.map(({ kind, median }) => `${kind} ${median.toFixed(2)} ms`).join(', '),
      reference: '',
      aim: `apart by ${atMost(difference, 1, ' ms')}`,
    },
    {
      what: `${students} students who enter /my by a slip within ${withinMs / 1000} s beside an office at work, with the page of their attendance`,
      product: `p50 ${format(percentile(opened, 0.5))} ms, p99 ${format(p99)} ms`,
      reference: '',
      aim: atMost(p99, 300, ' ms'),
    },
    {
      what: 'median of lists, searches and statistics meanwhile, and without the students',
      product: `${format(medianOf(beside))} ms and ${format(medianOf(alone))} ms`,
      reference: '',
      aim: atMost(medianOf(beside) / medianOf(alone), 1.2, ' ×'),
    },
  ]
}

async function readReferences({ env }: Bench['database'], count: number): Promise<string[]> {
  const { PGHOST: host, PGPORT, PGUSER: user, PGDATABASE: database } = env
  const client = new pg.Client({ host, port: Number(PGPORT), user, database })
  await client.connect()
  const text = 'select reference from students order by id limit $1'
  const { rows } = await client.query<{ reference: string }>(text, [count])
  await client.end()
  return rows.map(({ reference }) => reference)
}

function medianOf(times: readonly number[]): number {
  return percentile(
    [...times].sort((one, other) => one - other),
    0.5,
  )
}

function gap(one = Number.NaN, other = Number.NaN): number {
  return Math.abs(one - other)
}

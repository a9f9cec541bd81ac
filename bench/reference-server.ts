import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { defaultSemesters, periodRange, periods } from '#shared/periods.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { studentListFields } from '#shared/students/students.ts'

/**
 * The minimum that does the same work: node:http and pg with one prepared statement for each job. No validation,
 * session, limits, headers or counts: the difference is their price. Started with PORT and the database's PGHOST,
 * PGPORT, PGUSER and PGDATABASE.
 */
const pool = new pg.Pool({ max: 16 })
// Unlike a search's, the plan of an insert is the same for all values: made anew each time it would flatter the product.
const inserts = new pg.Pool({ max: 16, idleTimeoutMillis: 1_000, options: '-c plan_cache_mode=auto' })

const toColumn = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const fields = studentFieldNames.map(toColumn)
const listColumns = studentListFields.map((name) => `students.${toColumn(name)} as "${name}"`)

const insert = {
  name: 'insert',
  text: `insert into students (id, reference, registration_date, consented_at, consent_version, ${fields})
    values ($1, $2, now(), now(), 'x', ${fields.map((_field, index) => `$${index + 3}`)})`,
}

function pageOf(name: string, where: string, order: string, table = 'students') {
  return {
    name,
    text: `
      with page as (select id from ${table} where ${where} order by ${order} limit 50 offset $1)
      select ${listColumns}, (select count(*)::int from ${table} where ${where}) as total
      from page join students using (id) order by ${order}`,
  }
}

const byDate = 'registration_date desc, id desc'
const filtered = 'archived = $2 and nstp_component = $3 and academic_year = $4'
const found = `${filtered} and search_text like '%' || searchable($5) || '%'`
const search = pageOf('search', found, byDate, 'student_search')
const lists = {
  date: pageOf('list', 'not archived', byDate),
  name: pageOf('list-by-name', 'not archived', 'sort_name, id'),
  component: pageOf('list-of-component', 'not archived and nstp_component = $2', byDate),
  filtered: pageOf('list-filtered', 'nstp_component = $2 and academic_year = $3', byDate),
}

const statistics = {
  name: 'statistics',
  text: `
    select nstp_component, lower(sex) as sex, course, year_level, archived,
      date_trunc('month', registration_date at time zone 'Asia/Manila') as month, count(*)::int
    from students
    where ($1::text is null or nstp_component = $1) and registration_date >= $2 and registration_date < $3
    group by 1, 2, 3, 4, 5, 6`,
}

const announcements = {
  name: 'announcements',
  text: `
    select id, title, content, category, pinned, published_at, created_at, updated_at, image, attachment
    from announcements
    where published_at <= now() and (expire_at is null or expire_at > now())
    order by pinned desc, published_at desc, id desc limit 20`,
}

const section = {
  name: 'section',
  text: `
    with page as (
      select enrolments.id as "enrolmentId", entry, official_at, outcome, enrolments.student_id, sort_name
      from enrolments join students on students.id = enrolments.student_id
      where section_id = $1 and enrolments.status = 'enrolled' order by sort_name, enrolments.id limit 50
    )
    select page.*, last_name, first_name, middle_name, extension_name, students.student_id as number, course, sex,
      contact_number, (select count(*)::int from enrolments where section_id = $1 and status = 'enrolled') as total
    from page join students on students.id = page.student_id order by page.sort_name, "enrolmentId"`,
}

const paperRows = {
  name: 'paper-rows',
  text: 'select cells from paper_rows where paper_id = $1 order by list, number',
}

async function announce(): Promise<string> {
  const { rows } = await pool.query(announcements)
  return JSON.stringify({ items: rows })
}

async function register(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  const body: Record<string, unknown> = JSON.parse(text)
  const id = randomUUID()
  const values = studentFieldNames.map((field) => (field === 'yearLevel' ? 1 : body[field]))
  await inserts.query({ ...insert, values: [id, id, ...values] })
  return JSON.stringify({ id })
}

async function list(query: URLSearchParams): Promise<string> {
  const offset = (Number(query.get('page')) - 1) * 50
  const component = query.get('component')
  const year = query.get('academicYear')
  const text = query.get('search')
  const poll = () => {
    if (text !== null) {
      return {
        ...search,
        values: [offset, query.get('archive') === 'archived', component, year, text],
      }
    }
    if (year !== null) return { ...lists.filtered, values: [offset, component, year] }
    if (component !== null) return { ...lists.component, values: [offset, component] }
    return { ...(query.get('sort') === 'name' ? lists.name : lists.date), values: [offset] }
  }
  const { rows } = await pool.query<{ total: number }>(poll())
  return JSON.stringify({ items: rows, total: rows[0]?.total ?? 0 })
}

async function count(query: URLSearchParams): Promise<string> {
  const period = periods.find((name) => name === query.get('period')) ?? 'all-time'
  const calendar = { now: new Date(), timeZone: 'Asia/Manila', semesters: defaultSemesters }
  const range = periodRange(period, calendar)
  const component = query.get('component')
  const values = [
    component === 'all' ? null : component,
    range?.from ?? new Date(0),
    range?.until ?? new Date(8e15),
  ]
  const { rows } = await pool.query({ ...statistics, values })
  return JSON.stringify(rows)
}

async function write(): Promise<string> {
  const { rows } = await pool.query<unknown[]>({
    rowMode: 'array',
    text: `select ${fields} from students order by ${byDate}`,
  })
  return csvOf(rows)
}

async function writePaper(id: string | undefined): Promise<string> {
  const { rows } = await pool.query<{ cells: unknown[] }>({ ...paperRows, values: [id] })
  return csvOf(rows.map(({ cells }) => cells))
}

function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows
    .map((row) => row.map((value) => `"${String(value).replaceAll('"', '""')}"`).join(','))
    .join('\n')
}

async function listSection(id: string | null): Promise<string> {
  const { rows } = await pool.query<{ total: number }>({ ...section, values: [id] })
  return JSON.stringify({ items: rows, total: rows[0]?.total ?? 0 })
}

function answer(request: IncomingMessage): Promise<string> {
  if (request.method === 'POST') return register(request)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname.endsWith('/announcements')) return announce()
  if (pathname.endsWith('/statistics')) return count(searchParams)
  if (pathname.endsWith('/file.xlsx')) return writePaper(pathname.split('/').at(-2))
  if (pathname.endsWith('/enrolments')) return listSection(searchParams.get('section'))
  return pathname.endsWith('/export.xlsx') ? write() : list(searchParams)
}

createServer((request, response) => {
  answer(request).then(
    (text) => {
      const status = request.method === 'POST' ? 201 : 200
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(text)
    },
    (error) => {
      console.error(error)
      response.writeHead(500).end()
    },
  )
}).listen(Number(process.env.PORT), '127.0.0.1')

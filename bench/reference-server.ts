import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import pg from 'pg'
import { studentListFields } from '#shared/student.ts'
import { studentFieldNames } from '#shared/student-fields.ts'

/**
 * The least that could do the same work: node:http and pg with one prepared statement for each of the two
 * jobs. No validation, no session, no limits, no headers: what the product takes more is the price of those.
 * Started with PORT and the database's PGHOST, PGPORT, PGUSER and PGDATABASE.
 */
const pool = new pg.Pool({ max: 16 })

const toColumn = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const fields = studentFieldNames.map(toColumn)
const listColumns = studentListFields.map((name) => `students.${toColumn(name)} as "${name}"`)

const insert = {
  name: 'insert',
  text: `insert into students (id, reference, registration_date, consented_at, consent_version, ${fields})
    values ($1, $2, now(), now(), 'x', ${fields.map((_field, index) => `$${index + 3}`)})`,
}

const where = 'archived = $1 and nstp_component = $2 and academic_year = $3 and search_text like lower($4)'
const search = {
  name: 'search',
  text: `
    with page as (
      select id from students where ${where} order by registration_date desc, id desc limit 50 offset $5
    )
    select ${listColumns}, (select count(*)::int from students where ${where}) as total
    from page join students using (id)
    order by registration_date desc, id desc`,
}

async function register(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  const body: Record<string, unknown> = JSON.parse(text)
  const id = randomUUID()
  const values = studentFieldNames.map((field) => (field === 'yearLevel' ? 1 : body[field]))
  await pool.query({ ...insert, values: [id, id, ...values] })
  return JSON.stringify({ id })
}

async function list(url: string): Promise<string> {
  const query = new URL(url, 'http://localhost').searchParams
  const values = [
    query.get('archive') === 'archived',
    query.get('component'),
    query.get('academicYear'),
    `%${query.get('search')}%`,
    (Number(query.get('page')) - 1) * 50,
  ]
  const { rows } = await pool.query<{ total: number }>({ ...search, values })
  return JSON.stringify({ items: rows, total: rows[0]?.total ?? 0 })
}

createServer((request, response) => {
  const isPost = request.method === 'POST'
  const answer = isPost ? register(request) : list(request.url ?? '/')
  answer.then(
    (text) => {
      response.writeHead(isPost ? 201 : 200, { 'Content-Type': 'application/json' }).end(text)
    },
    (error) => {
      console.error(error)
      response.writeHead(500).end()
    },
  )
}).listen(Number(process.env.PORT), '127.0.0.1')

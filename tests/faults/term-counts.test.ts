// @module-tag rest
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AppDatabase, createDatabase } from '#server/database/pool.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { type Level, levels } from '#shared/terms/terms.ts'
import type { Section, TermSummary } from '#shared/terms/terms-response.ts'
import { toCsv } from '#tests/factories/spreadsheet.ts'
import { buildStoredStudent } from '#tests/factories/stored-student.ts'
import { storeSection, storeTerm } from '#tests/factories/stored-term.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase } from '#tests/setup/test-database.ts'

const rounds = 3
const workersOfProcess = 4
const changesOfWorker = Number(process.env.TERM_CHANGES ?? 20)
const day = '2026-09-01'

let folder: TemporaryFolder
let bare: Awaited<ReturnType<typeof createBareDatabase>>
let database: AppDatabase
let products: Product[]
let cookie: string

beforeAll(async () => {
  folder = makeTemporaryFolder()
  bare = await createBareDatabase()
  products = await Promise.all(
    [1, 2].map((number) =>
      startProduct({
        DATABASE_URL: bare.url,
        DATA_DIR: join(folder.path, `data-${number}`),
        SECRET_KEY: 'the secret key that both processes have',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      }),
    ),
  )
  database = createDatabase({ connection: bare.connection, log: pino({ level: 'silent' }) })
  cookie = await signInOverHttp(products[0]?.url ?? '')
}, 120_000)
afterAll(async () => {
  await Promise.all(products.map((product) => product.stop()))
  await database.close()
  await bare.drop()
  folder.remove()
})

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[randomInt(items.length)]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await database.pool.query<Row>(text, values)).rows
}

async function storeSchool(): Promise<string[]> {
  const students = Array.from({ length: 450 }, (_, index) =>
    buildStoredStudent({
      lastName: `Reyes ${index}`,
      studentId: `2026-${index}`,
      sex: index % 2 === 0 ? 'Female' : 'Male',
      nstpComponent: oneOf(nstpComponents),
      academicYear: index % 10 === 0 ? '2025-2026' : '2026-2027',
      archived: index % 50 === 1,
      archivedDate: index % 50 === 1 ? new Date() : null,
      restriction: index % 50 === 2 ? 'blocked' : null,
    }),
  )
  await database.db.insertInto('students').values(students).execute()
  const terms = [
    await storeTerm(database),
    await storeTerm(database, {
      semester: 2,
      state: 'planned',
      startsOn: '2027-01-11',
      endsOn: '2027-05-28',
    }),
  ]
  for (const { id: termId } of terms)
    for (const component of nstpComponents)
      for (const level of levels)
        for (const [position, takes] of (['all', 'Female', 'Male'] as const).entries())
          await storeSection(database, {
            ...{ termId, component, level, position, takes },
            name: takes,
            capacity: 15,
          })
  return terms.map(({ id }) => id)
}

interface Chosen {
  id: string
  version: number
  termId: string
  component: NstpComponent
  level: Level
}

/** Enrolled students of one term, component and level. */
async function chooseEnrolled(termId: string, most: number): Promise<Chosen[]> {
  const of = [termId, oneOf(nstpComponents), oneOf(levels), most]
  return await query<Chosen>(
    `select id, version, term_id as "termId", component, level from enrolments
     where status = 'enrolled' and term_id = $1 and component = $2 and level = $3 order by random() limit $4`,
    of,
  )
}

async function chooseSection({ termId, component, level }: Omit<Chosen, 'id' | 'version'>) {
  const [section] = await query<{ id: string }>(
    'select id from sections where term_id = $1 and component = $2 and level = $3 order by random() limit 1',
    [termId, component, level],
  )
  return randomInt(4) === 0 ? null : (section?.id ?? null)
}

async function chooseStudents(most: number) {
  return await query<{ id: string; version: number }>(
    'select id, version from students order by random() limit $1',
    [most],
  )
}

type Call = ReturnType<typeof createAdminClient>['call']

// What a change did, for its undo.
const batches: string[] = []
// How often each kind of change was made, and refused.
const outcomes = new Map<string, { made: number; refused: number }>()

const kinds: Record<string, (call: Call, termId: string) => Promise<Response | null>> = {
  async place(call, termId) {
    const choice = {
      component: oneOf(nstpComponents),
      level: oneOf(levels),
      order: 'name',
      fill: oneOf(['evenly', 'in turn']),
      withoutSections: randomInt(5) === 0,
      ids: (await chooseStudents(60)).map(({ id }) => id),
    }
    const preview = await call('POST', `/terms/${termId}/placements/preview`, choice)
    const { basis } = await preview.json()
    return call('POST', `/terms/${termId}/placements`, { ...choice, basis })
  },
  async section(call, termId) {
    const chosen = await chooseEnrolled(termId, 10)
    const [first] = chosen
    if (!first) return null
    const body = { ids: chosen.map(({ id }) => id), sectionId: await chooseSection(first), reason: '' }
    return call('POST', '/enrolments/section', body)
  },
  async move(call, termId) {
    const [chosen] = await chooseEnrolled(termId, 1)
    if (!chosen) return null
    const to = { termId, component: oneOf(nstpComponents), level: oneOf(levels) }
    const { component, level } = to
    const body = { component, level, sectionId: await chooseSection(to), on: day, reason: '' }
    return call('POST', `/enrolments/${chosen.id}/move`, body, { 'If-Match': `"${chosen.version}"` })
  },
  async drop(call, termId) {
    const chosen = await chooseEnrolled(termId, 3)
    if (chosen.length === 0) return null
    return call('POST', '/enrolments/drop', { ids: chosen.map(({ id }) => id), on: day, reason: '' })
  },
  async add(call, termId) {
    const body = {
      studentIds: (await chooseStudents(1)).map(({ id }) => id),
      ...{ level: oneOf(levels), entry: 'new', school: '', sectionId: null, on: day },
    }
    return call('POST', `/terms/${termId}/enrolments`, body)
  },
  async mark(call, termId) {
    const items = (await chooseEnrolled(termId, 15)).map(({ id, version }) => ({
      ...{ id, version },
      mark: oneOf(['1.00', '2.50', '3.00', '5.00', 'INC', 'DRP', '']),
    }))
    return items.length === 0 ? null : call('PUT', `/terms/${termId}/marks`, { items, reason: '' })
  },
  async component(call) {
    const [student] = await chooseStudents(1)
    const change = { nstpComponent: oneOf(nstpComponents) }
    return call('PATCH', `/students/${student?.id}`, change, { 'If-Match': `"${student?.version}"` })
  },
  async undo(call) {
    return batches.length === 0 ? null : call('POST', `/enrolment-batches/${oneOf(batches)}/undo`)
  },
}

async function change(call: Call, termIds: readonly string[]): Promise<void> {
  const kind = oneOf(Object.keys(kinds))
  const answer = await kinds[kind]?.(call, oneOf(termIds))
  if (!answer) return
  // Somebody else was faster, the section is full, the level passed; 503: others were in the term for too long.
  if (![200, 404, 409, 422, 503].includes(answer.status))
    throw new Error(`${kind}: ${answer.status} ${await answer.text()}`)
  const count = outcomes.get(kind) ?? { made: 0, refused: 0 }
  count[answer.ok ? 'made' : 'refused']++
  outcomes.set(kind, count)
  const { batchId } = await answer.json()
  if (batchId) batches.push(batchId)
}

async function makeOfficial({ url }: Product, termId: string): Promise<void> {
  const imports = importsOf({ url }, cookie)
  const students = await query<{ number: string; name: string }>(
    `select student_id as number, last_name || ', ' || first_name as name from students order by random() limit 100`,
  )
  const list = toCsv(students.map(({ number, name }) => ({ 'Student No.': number, Name: name })))
  const uploaded = await imports.upload(list, 'list.csv', `&purpose=registrar&term=${termId}`)
  const { id, counts } = await imports.check(uploaded)
  // By chance all of it are official already, or not in the term.
  if (counts.ready > 0) await imports.run(id)
}

interface Enrolled {
  studentId: string
  termId: string
  component: string
  level: Level
  sectionId: string | null
  status: string
  outcome: string
  isOfficial: boolean
}

interface Held {
  id: string
  component: string
  isWaiting: boolean
}

/** From the rows alone. */
async function recount(termId: string) {
  const all = await query<Enrolled>(
    `select student_id as "studentId", term_id as "termId", component, level, section_id as "sectionId", status,
      outcome, official_at is not null as "isOfficial" from enrolments`,
  )
  const students = await query<Held>(
    `select id, nstp_component as component,
      academic_year = '2026-2027' and not archived and restriction is null as "isWaiting" from students`,
  )
  const sections = await query<{ id: string; component: string; level: Level; capacity: number }>(
    'select id, component, level, capacity from sections where term_id = $1',
    [termId],
  )
  const held = all.filter((one) => one.termId === termId && one.status === 'enrolled')

  function isDue(id: string, level: Level): boolean {
    const own = all.filter(({ studentId }) => studentId === id)
    const hasPassed = (one: Level) => own.some((past) => past.level === one && past.outcome === 'passed')
    const isNext = level === 1 ? !hasPassed(1) : hasPassed(1) && !hasPassed(2)
    return (
      isNext &&
      own.every(
        (past) =>
          past.termId !== termId &&
          !(
            past.level === level &&
            past.status === 'enrolled' &&
            ['none', 'incomplete'].includes(past.outcome)
          ),
      )
    )
  }

  return {
    cells: nstpComponents.flatMap((component) =>
      levels.map((level) => {
        const isOfCell = (one: { component: string; level: Level }) =>
          one.component === component && one.level === level
        const own = held.filter(isOfCell)
        const ownSections = sections.filter(isOfCell)
        return {
          component,
          level,
          sections: ownSections.length,
          capacity: ownSections.reduce((sum, { capacity }) => sum + capacity, 0),
          placed: own.filter(({ sectionId }) => sectionId !== null).length,
          withoutSection: own.filter(({ sectionId }) => sectionId === null).length,
          official: own.filter(({ isOfficial }) => isOfficial).length,
          marked: own.filter(({ outcome }) => outcome !== 'none').length,
          waiting: students.filter(
            (student) => student.isWaiting && student.component === component && isDue(student.id, level),
          ).length,
        }
      }),
    ),
    sections: Object.fromEntries(
      sections.map(({ id }) => {
        const own = held.filter(({ sectionId }) => sectionId === id)
        return [id, { students: own.length, official: own.filter(({ isOfficial }) => isOfficial).length }]
      }),
    ),
  }
}

async function readSummary(call: Call, termId: string) {
  const { items }: TermSummary = await (await call('GET', `/terms/${termId}/summary`)).json()
  return items
}

async function expectCounts(termId: string): Promise<void> {
  const { cells, sections } = await recount(termId)
  for (const { url } of products) {
    const { call } = createAdminClient({ url }, cookie)
    // Long for a notice, but less than a summary is kept without one.
    await expect.poll(() => readSummary(call, termId), { timeout: 4_000 }).toEqual(cells)
    const listed: { items: Section[] } = await (await call('GET', `/terms/${termId}/sections`)).json()
    expect(
      Object.fromEntries(listed.items.map(({ id, students, official }) => [id, { students, official }])),
    ).toEqual(sections)
    expect(listed.items.filter(({ students, capacity }) => students > capacity)).toEqual([])
  }
}

test('the figures of a term are a recount after many changes by two processes, at once', {
  timeout: 240_000,
}, async () => {
  const termIds = await storeSchool()
  for (let round = 0; round < rounds; round++) {
    const workers = products.flatMap(({ url }) =>
      Array.from({ length: workersOfProcess }, async () => {
        const { call } = createAdminClient({ url }, cookie)
        for (let count = 0; count < changesOfWorker; count++) await change(call, termIds)
      }),
    )
    // At first nobody is in a term.
    const lists = round === 0 ? [] : products.map((one, index) => makeOfficial(one, termIds[index] ?? ''))
    await Promise.all([...workers, ...lists])
    for (const termId of termIds) await expectCounts(termId)
  }
  const clients = products.map(({ url }) => createAdminClient({ url }, cookie))
  for (const [index, { call }] of clients.entries()) {
    const termId = termIds[0] ?? ''
    // The other process has counted just before.
    await Promise.all(clients.map((client) => readSummary(client.call, termId)))
    const [chosen] = await query<{ id: string }>(
      `select id from enrolments where status = 'enrolled' and term_id = $1 limit 1`,
      [termId],
    )
    const dropped = await call('POST', '/enrolments/drop', { ids: [chosen?.id], on: day, reason: '' })
    expect(dropped.status, `by process ${index + 1}`).toBe(200)
    await expectCounts(termId)
  }
  for (const kind of Object.keys(kinds))
    expect(outcomes.get(kind)?.made, kind).toBeGreaterThan(changesOfWorker / 3)
  // The history has every change.
  expect(
    await query(
      `select id from enrolments where version > 1 and version is distinct from
        (select max(version) from enrolment_changes where enrolment_id = enrolments.id)`,
    ),
  ).toEqual([])
  const [noted] = await query<{ count: number }>('select count(*)::int as count from enrolment_changes')
  expect(noted?.count).toBeGreaterThan(rounds * workersOfProcess * changesOfWorker)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type {
  ImportDetails,
  ImportRow,
  ImportRowPage,
  ImportSummary,
} from '#shared/imports/import-response.ts'
import { toCsv } from '#tests/factories/spreadsheet.ts'
import type { OfficeClient } from './office-client.ts'
import type { Random } from './random.ts'
import { type Enrolment, enrolmentIn, type Student } from './school.ts'
import type { Semester } from './terms.ts'

/** In ms. */
const workMs = 300_000
/** Rows of each kind that somebody looks at; the others stay as they are. */
const looked = 20

type Amid = <T>(action: () => Promise<T>) => Promise<T>
type Row = Record<string, string>

/** Uploads a list, and waits until its rows are checked. @param about `purpose=…&term=…` */
export async function checkList(
  client: OfficeClient,
  rows: readonly Row[],
  { fileName, about }: { fileName: string; about: string },
): Promise<ImportDetails> {
  const file = toCsv(rows)
  const uploaded = await client.ensure<ImportSummary>(
    `upload ${fileName}`,
    async () => {
      const { items } = await client.read<{ items: ImportSummary[] }>(`/imports?${about}`)
      return items.find((one) => one.fileName === fileName) ?? null
    },
    () => client.send('POST', `/imports?fileName=${fileName}&${about}`, file),
  )
  const { id, columns } = await client.read<ImportDetails>(`/imports/${uploaded.id}`)
  const guessed = Object.fromEntries(columns.map(({ guess }, index) => [index, guess]))
  await client.ensure(
    `check ${fileName}`,
    async () => {
      const { state, failure } = await client.read<ImportDetails>(`/imports/${id}`)
      return state === 'uploaded' && failure === null ? null : true
    },
    () => client.send('PUT', `/imports/${id}/mapping`, { columns: guessed }),
  )
  return await waitFor(client, id)
}

/** What is ready. */
export async function applyList(client: OfficeClient, id: string, amid: Amid): Promise<ImportDetails> {
  const isApplied = ({ state }: ImportDetails) => state !== 'checked'
  const start = async () => {
    await client.ensure(
      'apply the list',
      async () => (isApplied(await client.read<ImportDetails>(`/imports/${id}`)) ? true : null),
      () => client.send('POST', `/imports/${id}/run`),
    )
    return await waitFor(client, id)
  }
  const details = await amid(start)
  if (isApplied(details)) return details
  // The database was killed, and nothing was applied: the person reads so, and presses again.
  expect([details.importedCount, details.failure]).toEqual([0, expect.any(String)])
  return await start()
}

async function waitFor(client: OfficeClient, id: string): Promise<ImportDetails> {
  for (const end = Date.now() + workMs; Date.now() < end; ) {
    const details = await client.read<ImportDetails>(`/imports/${id}`)
    if (!details.progress) return details
    await sleep(250)
  }
  throw new Error(`the list ${id} is not done within ${workMs} ms`)
}

async function rowsOf(client: OfficeClient, id: string, state: string): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  for (let page = 1; ; page++) {
    const answer = await client.read<ImportRowPage>(`/imports/${id}/rows?state=${state}&page=${page}`)
    rows.push(...answer.items)
    if (rows.length >= answer.total || answer.items.length === 0) return rows
  }
}

/** How the registrar's list differs from the portal: one of a hundred each. */
const differences = ['missing', 'component', 'number', 'name'] as const
type Difference = (typeof differences)[number]

/** The registrar's list: who is on it becomes official, and about four in a hundred differ. */
export async function applyRegistrarList(
  client: OfficeClient,
  term: Semester,
  students: readonly Student[],
  { random, amid }: { random: Random; amid: Amid },
): Promise<string> {
  const enrolled = students.flatMap((student) => {
    const enrolment = enrolmentIn(student, term.number)
    return enrolment ? [{ student, enrolment }] : []
  })
  const listed = random.shuffled(enrolled).map((one, index) => ({
    ...one,
    difference: differences[index % 100],
  }))
  const shown = random.shuffled(listed.filter(({ difference }) => difference !== 'missing'))
  const theirs = shown.filter((_one, index) => index % 100 === 0).map(strangerRow)
  const rows = [...shown.map(({ student, difference }) => rowOf(student, difference)), ...theirs]
  const countOf = (difference: Difference) => listed.filter((one) => one.difference === difference).length
  const about = `purpose=registrar&term=${term.id}`
  const { id, counts, others } = await checkList(client, rows, {
    fileName: `registrar-${term.number}.csv`,
    about,
  })
  expect({ ...counts, others }).toEqual({
    ready: shown.length - countOf('component') - countOf('number') - countOf('name'),
    unchanged: 0,
    problem: countOf('number') + countOf('name'),
    duplicate: 0,
    skipped: 0,
    unmatched: theirs.length,
    differs: countOf('component'),
    // The two kinds that nobody has decided yet count too.
    others: { missing: listed.length - shown.length + countOf('number') + countOf('name'), gone: 0 },
  })
  const official = new Set<Enrolment>(
    shown.filter(({ difference }) => difference === undefined).map(({ enrolment }) => enrolment),
  )
  const rowAt = (number: number) => shown[number - 2]
  for (const { number } of (await rowsOf(client, id, 'problem')).slice(0, looked)) {
    const meant = rowAt(number)
    if (!meant) throw new Error(`row ${number} is nobody's`)
    await client.act('PATCH', `/imports/${id}/rows/${number}`, { studentId: meant.student.id })
    official.add(meant.enrolment)
  }
  // Half of those who are in another component by the registrar are in ours indeed.
  for (const [index, { number }] of (await rowsOf(client, id, 'differs')).slice(0, looked).entries()) {
    const meant = rowAt(number)
    if (index % 2 === 1 || !meant) continue
    await client.act('PATCH', `/imports/${id}/rows/${number}`, { take: true })
    official.add(meant.enrolment)
  }
  const applied = await applyList(client, id, amid)
  expect([applied.state, applied.importedCount]).toEqual(['imported', official.size])
  for (const enrolment of official) enrolment.isOfficial = true
  return `${rows.length} rows, ${listed.length - shown.length} missing, ${theirs.length} strangers, ${rows.length - official.size - theirs.length} left`
}

function rowOf({ number, fields }: Student, difference: Difference | undefined): Row {
  const { lastName, firstName, middleName, extensionName, nstpComponent } = fields
  const given = [firstName, extensionName, middleName && `${middleName.slice(0, 1)}.`]
    .filter(Boolean)
    .join(' ')
  return {
    'Student No.': difference === 'number' ? number.replace('2026-', '2025-9') : number,
    Name: `${difference === 'name' ? 'Vergara' : lastName}, ${given}`.toUpperCase(),
    Component: difference === 'component' ? otherThan(nstpComponent) : nstpComponent,
  }
}

const otherThan = (component: string) => (component === 'CWTS' ? 'ROTC' : 'CWTS')

/** Who never enlisted. */
const strangerRow = (_one: unknown, index: number): Row => ({
  'Student No.': `2019-${String(index).padStart(6, '0')}`,
  Name: `Zuñigasantos${'abcdefghijklmnopqrstuvwxyz'[index % 26]}, Yolanda ${'abcdefghijklmnopqrstuvwxyz'[Math.floor(index / 26)]}uxu`.toUpperCase(),
  Component: 'CWTS',
})

/** The marks of a component from a file. */
export async function importMarks(
  client: OfficeClient,
  term: Semester,
  students: readonly Student[],
  { markFor, amid }: { markFor: (student: Student) => string; amid: Amid },
): Promise<void> {
  const marked = students.flatMap((student) => {
    const enrolment = enrolmentIn(student, term.number)
    const mark = markFor(student)
    return enrolment && mark !== '' ? [{ student, enrolment, mark }] : []
  })
  const rows = marked.map(({ student: { number, fields }, mark }) => ({
    'Student No.': number,
    Name: `${fields.lastName}, ${fields.firstName}`,
    // As a spreadsheet leaves it.
    Grade: mark.replace(/\.?0+$/, ''),
  }))
  const about = `purpose=marks&term=${term.id}`
  const { id, counts } = await checkList(client, rows, { fileName: `marks-${term.number}.csv`, about })
  expect(counts).toMatchObject({ ready: rows.length, problem: 0, unmatched: 0 })
  const applied = await applyList(client, id, amid)
  expect([applied.state, applied.importedCount]).toEqual(['imported', rows.length])
  for (const { enrolment, mark } of marked) enrolment.mark = mark
}

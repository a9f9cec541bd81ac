import readWorkbook from 'read-excel-file/node'
import { expect } from 'vitest'
import type { Paper, PaperCheck, PaperCounts, PaperRows } from '#shared/papers/papers-response.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { chedPaper } from '#tests/setup/papers.ts'
import { applyList, checkList } from './lists.ts'
import { type OfficeClient, seen } from './office-client.ts'
import { expectSame } from './same-lines.ts'
import { academicYear, componentOf, graduatedIn, latestEnrolment, programs, type Student } from './school.ts'

type Amid = <T>(action: () => Promise<T>) => Promise<T>

/** Of the office: CHED lists nobody of ROTC. */
const isListed = (component: NstpComponent | null) => component !== null && component !== 'ROTC'

export async function makePaper(client: OfficeClient): Promise<Paper> {
  const title = 'Our list for CHED'
  return await client.ensure(
    'make the paper',
    async () => {
      const { items } = await client.read<{ items: Paper[] }>('/papers')
      return items.find((one) => one.title === title) ?? null
    },
    () => client.send('POST', '/papers', { ...chedPaper, title }),
  )
}

const checkPaper = (client: OfficeClient, { id }: Paper) =>
  client.act<PaperCheck>('POST', `/papers/${id}/check`)

/** What the rules propose is done, shared addresses and names are meant, and blocked people are left out. */
export async function mendPaper(
  client: OfficeClient,
  paper: Paper,
  students: readonly Student[],
): Promise<void> {
  const inPaper = students.filter(
    (student) => isListed(graduatedIn(student)) || isListed(latestEnrolment(student)?.component ?? null),
  )
  const first = await checkPaper(client, paper)
  expect(first.ready).toBe(inPaper.length)
  const blocked = inPaper.filter(({ isBlocked }) => isBlocked)
  expect(first.stops).toBe(blocked.length)
  for (const code of ['K06', 'K07', 'K12', 'K13', 'K14']) {
    // Undoable changes aren't repeated by a key: what is done already isn't proposed again.
    await client.act('POST', `/papers/${paper.id}/fixes`, { code, people: null })
  }
  for (const student of inPaper) Object.assign(student.fields, student.proposals)
  const leftOut = {
    code: 'K16',
    subjects: blocked.map(({ id }) => id),
    answer: 'left out',
    reason: 'Asked for it',
  }
  if (blocked.length > 0) await client.ask('PUT', `/papers/${paper.id}/answers`, leftOut)
  for (;;) {
    const { findings, stops } = await checkPaper(client, paper)
    expect(stops).toBe(0)
    const open = findings.filter(({ severity, open: count }) => severity === 'ask' && count > 0)
    expect(open.flatMap(({ people }) => people.flatMap(({ fixes }) => fixes))).toEqual([])
    if (open.length === 0) return
    for (const { code, people } of open) {
      const subjects = people.filter(({ isMeant }) => !isMeant).map(({ subject }) => subject)
      const body = { code, subjects, answer: 'meant', reason: 'We asked' }
      await client.ask('PUT', `/papers/${paper.id}/answers`, body)
    }
  }
}

const readPaper = (client: OfficeClient, { id }: Paper) => client.read<Paper>(`/papers/${id}`)

/** The one after the step, which is repeated until it was made. */
async function step(
  client: OfficeClient,
  paper: Paper,
  path: string,
  { body, state }: { body: object; state: string },
) {
  return await client.ensure(
    `${path} ${state}`,
    async () => {
      const now = await readPaper(client, paper)
      return now.state === state ? now : null
    },
    async () =>
      client.send('POST', `/papers/${paper.id}/${path}`, body, seen(await readPaper(client, paper))),
  )
}

export async function freeze(client: OfficeClient, paper: Paper, amid: Amid): Promise<Paper> {
  const { basis } = await checkPaper(client, paper)
  return await amid(() => step(client, paper, 'freeze', { body: { basis }, state: 'frozen' }))
}

export const setState = (
  client: OfficeClient,
  paper: Paper,
  state: 'sent' | 'returned' | 'accepted',
  on: string,
) => step(client, paper, 'state', { body: { state, on, note: '' }, state })

export async function copyReturned(client: OfficeClient, paper: Paper): Promise<Paper> {
  return await client.ensure(
    'make a corrected paper',
    async () => {
      const { items } = await client.read<{ items: Paper[] }>('/papers')
      return items.find((one) => one.follows?.id === paper.id) ?? null
    },
    () => client.send('POST', `/papers/${paper.id}/copy`),
  )
}

function countsOf(students: readonly Student[]): PaperCounts {
  const none = () => ({ Male: 0, Female: 0 })
  const counts: PaperCounts = {
    enrolment: { ROTC: none(), CWTS: none(), LTS: none() },
    graduates: { ROTC: none(), CWTS: none(), LTS: none() },
  }
  for (const student of students) {
    if (student.isBlocked) continue
    const sex = student.fields.sex === 'Male' ? 'Male' : 'Female'
    const enrolment = latestEnrolment(student)
    const graduated = graduatedIn(student)
    if (enrolment) counts.enrolment[enrolment.component][sex] += 1
    if (graduated) counts.graduates[graduated][sex] += 1
  }
  return counts
}

const programOf = (course: string) => programs.find((one) => one.course === course)?.name ?? ''

/** The cells of a list behind the number, as the school's records say them. */
function cellsOf(student: Student, component: NstpComponent): string[] {
  const { fields } = student
  const phone = fields.contactNumber.replaceAll(' ', '')
  const [year = '', month = '', day = ''] = fields.dateOfBirth.split('-')
  return [
    ...[academicYear, component, '04-CALABARZON', ''],
    ...[fields.lastName, fields.firstName, fields.extensionName, fields.middleName],
    ...[`${month}/${day}/${year}`, fields.sex.slice(0, 1)],
    ...[fields.address, 'Dasmariñas', fields.province],
    ...['Sample College of Cavite', 'LUCs', programOf(fields.course), '1', fields.email, phone],
  ]
}

/** Each cell of the workbook is what the school's arrays say. @returns how many cells were compared */
export async function agreeOnWorkbook(
  client: OfficeClient,
  paper: Paper,
  students: readonly Student[],
): Promise<number> {
  const counts = countsOf(students)
  expect((await readPaper(client, paper)).counts).toEqual(counts)
  const sheets = await readWorkbook(await client.file(`/papers/${paper.id}/file.xlsx`), { trim: false })
  const sheet = (name: string) =>
    (sheets.find((one) => one.sheet === name)?.data ?? []).map((row) => row.map(textOf))
  const summary = sheet('Summary')
  for (const [from, of] of [
    [5, counts.enrolment],
    [11, counts.graduates],
  ] as const) {
    for (const [index, component] of (['CWTS', 'LTS', 'ROTC'] as const).entries()) {
      const row = summary[from + index] ?? []
      // The type of this school has the third pair of columns.
      expect([row[0], row[5], row[6]]).toEqual([
        component,
        String(of[component].Male),
        String(of[component].Female),
      ])
    }
  }
  const listed = students.filter(({ isBlocked }) => !isBlocked)
  const enrolled = listed.flatMap((student) => {
    const component = latestEnrolment(student)?.component
    return component && isListed(component) ? [cellsOf(student, component)] : []
  })
  const graduates = listed.flatMap((student) => {
    const component = graduatedIn(student)
    return component && isListed(component) ? [cellsOf(student, component)] : []
  })
  let cells = 0
  for (const [name, wanted] of [
    ['NSTP Enrollment List', enrolled],
    ['NSTP Graduates', graduates],
  ] as const) {
    const rows = sheet(name)
      .slice(2)
      .filter((row) => row[0] !== '')
    expect(rows.map(([number]) => number)).toEqual(wanted.map((_one, index) => String(index + 1)))
    expectSame(
      rows.map((row) => row.slice(1, 20).join('\t')),
      wanted.map((row) => row.join('\t')),
      name,
    )
    const programsInOrder = rows.map((row) => (row[16] ?? '').toLowerCase())
    expect(programsInOrder).toEqual(programsInOrder.toSorted())
    cells += rows.length * 20
  }
  return cells
}

function textOf(cell: unknown): string {
  if (!(cell instanceof Date)) return cell === null || cell === undefined ? '' : String(cell)
  const [year, month, day] = cell.toISOString().slice(0, 10).split('-')
  return `${month}/${day}/${year}`
}

/** The graduates of a frozen paper in its order. */
async function graduatesIn(client: OfficeClient, { id }: Paper): Promise<PaperRows['items']> {
  return await client.readAll<PaperRows['items'][number]>(`/papers/${id}/rows?list=graduates`)
}

/**
 * Serial numbers come back: first with a page that somebody dragged in Excel, which is refused, then as they are.
 * Two people get none.
 */
export async function applySerials(
  client: OfficeClient,
  paper: Paper,
  students: readonly Student[],
  amid: Amid,
): Promise<number> {
  const own = new Map(students.map((student) => [student.id, student]))
  const graduates = (await graduatesIn(client, paper)).flatMap(({ studentId }) => {
    const student = own.get(studentId ?? '')
    return student ? [student] : []
  })
  const numbers = { C: 100_000, L: 200_000 }
  const given = graduates.map((student, index) => {
    const letter = graduatedIn(student) === 'LTS' ? 'L' : 'C'
    if (index % Math.ceil(graduates.length / 2) === 1) return { student, serial: '' }
    numbers[letter] += 1
    return { student, serial: `${letter}-04-${numbers[letter]}-27` }
  })
  const rows = given.map(({ student: { fields }, serial }) => ({
    'NSTP GRADUATION YEAR': academicYear,
    'NSTP SERIAL NUMBER': serial,
    'LAST NAME': fields.lastName,
    'FIRST NAME': fields.firstName,
    'EXTENSION NAME': fields.extensionName,
    'MIDDLE NAME': fields.middleName,
    BIRTHDATE: fields.dateOfBirth,
  }))
  const page = Math.floor(rows.length / 2)
  const dragged = rows.map((row, index) =>
    index < page || index >= page + 40
      ? row
      : { ...row, 'NSTP SERIAL NUMBER': `C-04-100300-${27 + index - page}` },
  )
  const about = `purpose=serials&paper=${paper.id}`
  const refused = await checkList(client, dragged, { fileName: 'dragged.csv', about })
  expect(refused).toMatchObject({
    state: 'uploaded',
    failure: expect.stringContaining('The file was dragged'),
  })
  const { id, counts, notes } = await checkList(client, rows, { fileName: 'serials.csv', about })
  const ready = given.filter(({ serial }) => serial !== '').length
  expect(counts).toMatchObject({
    ready,
    unchanged: rows.length - ready,
    problem: 0,
    differs: 0,
    unmatched: 0,
  })
  expect(notes).toEqual([expect.stringContaining('got no number')])
  const applied = await applyList(client, id, amid)
  expect([applied.state, applied.importedCount]).toEqual(['imported', ready])
  for (const { student, serial } of given) student.serial = serial
  return ready
}

export async function agreeOnSerials(
  client: OfficeClient,
  paper: Paper,
  students: readonly Student[],
): Promise<void> {
  const rows = await graduatesIn(client, paper)
  const given = students.filter(({ serial }) => serial !== '')
  expectSame(
    rows.flatMap(({ studentId, serial }) => (serial === '' ? [] : [`${studentId} ${serial}`])),
    given.map(({ id, serial }) => `${id} ${serial}`),
  )
  expect(new Set(given.map(({ serial }) => serial)).size).toBe(given.length)
  const { counts } = await readPaper(client, paper)
  const asked = nstpComponents.filter(isListed).reduce((sum, one) => {
    const { Male = 0, Female = 0 } = counts?.graduates[one] ?? {}
    return sum + Male + Female
  }, 0)
  expect(rows).toHaveLength(asked)
  for (const { studentId, cells } of rows) {
    const student = students.find(({ id }) => id === studentId)
    expect(student && componentOf(student)).toBe(cells[2])
  }
}

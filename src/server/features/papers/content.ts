import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { sha256 } from '#server/lib/digest.ts'
import type { PaperList, PaperPerson } from '#shared/papers/papers.ts'
import type { PaperCounts } from '#shared/papers/papers-response.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { nstpComponents, sexes } from '#shared/students/student-choices.ts'
import type { Layout, LayoutList, ValueName } from './layouts/layout.ts'
import { layoutOf } from './layouts/layouts.ts'
import { enrolledIn, graduatesOf } from './people-repository.ts'
import { type AnswerRow, createPapersRepository, type PaperRow } from './repository.ts'
import { paperValue } from './values.ts'

interface PaperContentRow {
  list: PaperList
  number: number
  studentId: string
  cells: string[]
}

/** What a paper says as of now, before it is frozen. */
export interface PaperContent {
  layout: Layout
  // All people in the order of the paper, including those who are only counted and those who are left out.
  people: PaperPerson[]
  answers: AnswerRow[]
  values: readonly ValueName[]
  // People who are left out have no row.
  rows: PaperContentRow[]
  counts: PaperCounts
  // A digest that changes with anything of the above.
  basis: string
}

/** The first values of each paper. Returned serial numbers and later papers are matched to people by them. */
export const identity = [
  'lastName',
  'firstName',
  'middleName',
  'extensionName',
  'dateOfBirth',
  'sex',
  'component',
  'studentId',
  // Names the list of a person who is only counted: the row itself is in 'unlisted'.
  'list',
] as const satisfies readonly ValueName[]

export async function readContent(
  db: Queryable,
  access: Access,
  paper: PaperRow,
  settings: Settings,
): Promise<PaperContent> {
  const layout = layoutOf(paper.layout, paper.options)
  const answers = await createPapersRepository(db, access).answers(paper.id)
  const people = await readPeople(db, access, paper, layout)
  inOrder(people, layout, paper, settings)
  const values = valuesOf(layout)
  const isLeftOut = leftOutOf(answers)
  const left = people.filter((person) => !isLeftOut(person))
  const rows = rowsOf(left, layout, values, paper, settings)
  const basis = sha256(JSON.stringify([layout, people, answers, rows])).toString('hex')
  return { layout, people, answers, values, rows, counts: countPeople(left), basis }
}

async function readPeople(
  db: Queryable,
  access: Access,
  { academicYear, components, termId, options, layout: code }: PaperRow,
  layout: Layout,
): Promise<PaperPerson[]> {
  const lists = new Set(
    layout.sheets.flatMap(({ list, counts = [] }) => [list, ...counts].map((one) => one?.of)),
  )
  const wanted = { academicYear, components }
  const enrolled = lists.has('enrolment')
    ? await enrolledIn(db, access, { ...wanted, termId, ...(layout.takes.level && { level: options.level }) })
    : []
  const graduates = lists.has('graduates') ? await graduatesOf(db, access, wanted) : []
  const { leavesOut = [] } = layout
  const sent = leavesOut.includes('sentBefore')
    ? await createPapersRepository(db, access).listSent(code)
    : new Map<string, boolean>()
  const hasNumber = ({ fields }: PaperPerson) =>
    leavesOut.includes('withSerial') && fields.serialNumber !== ''
  const isListed = ({ component }: PaperPerson) =>
    component !== 'ROTC' || options.listsRotc || !layout.takes.options?.includes('listsRotc')
  // A graduate who was only counted in an earlier paper may be listed later.
  const wasSent = (person: PaperPerson) =>
    sent.has(person.studentId) && (sent.get(person.studentId) === true || !isListed(person))
  return [...enrolled, ...graduates.filter((one) => !wasSent(one) && !hasNumber(one))].map((person) => ({
    ...person,
    isListed: isListed(person),
  }))
}

/** They come in the order of names. */
function inOrder(
  people: PaperPerson[],
  { order }: Layout,
  { academicYear }: PaperRow,
  settings: Settings,
): void {
  if (order === 'name') return
  const keyOf = (person: PaperPerson) =>
    order === 'program'
      ? paperValue('officialProgram', person, 0, { academicYear, groups: undefined, settings }).toLowerCase()
      : `${person.level} ${person.fields.sex === 'Male' ? 0 : 1}`
  const keys = new Map(people.map((person) => [person, keyOf(person)]))
  const compare = (one = '', other = '') => (one < other ? -1 : one > other ? 1 : 0)
  people.sort((one, other) => compare(keys.get(one), keys.get(other)))
}

/** K10 is about the graduates alone: who is in another paper is still enrolled. */
function leftOutOf(answers: readonly AnswerRow[]): (person: PaperPerson) => boolean {
  const left = answers.filter(({ answer }) => answer === 'left out')
  const wholly = new Set(left.filter(({ code }) => code !== 'K10').map(({ subject }) => subject))
  const asGraduate = new Set(left.filter(({ code }) => code === 'K10').map(({ subject }) => subject))
  return ({ list, studentId }) => wholly.has(studentId) || (list === 'graduates' && asGraduate.has(studentId))
}

function listsOf({ sheets }: Layout): LayoutList[] {
  return sheets.flatMap(({ list }) => list ?? [])
}

function valuesOf(layout: Layout): ValueName[] {
  const lists = listsOf(layout)
  const shown = lists.flatMap(({ columns }) => columns.map(({ value }) => value))
  const grouped = lists.some(({ groups }) => groups !== undefined) ? (['group'] as const) : []
  return [...new Set<ValueName>([...identity, ...shown, ...grouped])]
}

function rowsOf(
  people: readonly PaperPerson[],
  layout: Layout,
  values: readonly ValueName[],
  { academicYear }: PaperRow,
  settings: Settings,
): PaperContentRow[] {
  const groups = listsOf(layout).find((list) => list.groups !== undefined)?.groups
  const wanted = { academicYear, groups, settings }
  const numbers = new Map<string, number>()
  const next = (counted: string) => {
    const number = (numbers.get(counted) ?? 0) + 1
    numbers.set(counted, number)
    return number
  }
  return people.map((person) => {
    const list = person.isListed ? person.list : 'unlisted'
    const number = next(list)
    // Numbers restart in each part of a list.
    const seq = groups === undefined ? number : next(`${list} ${paperValue('group', person, 0, wanted)}`)
    const cells = values.map((name) => paperValue(name, person, seq, wanted))
    return { list, number, studentId: person.studentId, cells }
  })
}

function countPeople(people: readonly PaperPerson[]): PaperCounts {
  const none = () => ({ Male: 0, Female: 0 })
  const counts: PaperCounts = {
    enrolment: { ROTC: none(), CWTS: none(), LTS: none() },
    graduates: { ROTC: none(), CWTS: none(), LTS: none() },
  }
  for (const { list, component, fields } of people) {
    const sex = sexes.find((one) => one === fields.sex)
    if (sex && nstpComponents.includes(component)) counts[list][component][sex] += 1
  }
  return counts
}

// The preview of a check has at most so many rows.
const previewed = 20

/** The heads, and the first rows of the last list. */
export function previewOf({ layout, values, rows }: PaperContent): string[][] {
  const list = listsOf(layout).at(-1)
  if (!list) return []
  const shown = rows.filter((row) => row.list === list.of).slice(0, previewed)
  return [
    list.columns.map(({ head }) => head),
    ...shown.map(({ cells }) => list.columns.map(({ value }) => cells[values.indexOf(value)] ?? '')),
  ]
}

import type pg from 'pg'
import { expect } from 'vitest'
import type { DashboardCounts, Statistics } from '#shared/statistics/statistics-response.ts'
import { type NstpComponent, nstpComponents, yearLevelLabel } from '#shared/students/student-choices.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import type { StudentPage } from '#shared/students/student-response.ts'
import type { EnrolmentItem } from '#shared/terms/enrolments-response.ts'
import type { TermSummary } from '#shared/terms/terms-response.ts'
import type { ReceivedMessage } from '#tests/setup/mail-sink.ts'
import type { OfficeClient } from './office-client.ts'
import { expectSame } from './same-lines.ts'
import { componentOf, type Student } from './school.ts'
import type { Semester } from './terms.ts'

export type Query = <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>

const present = (students: readonly Student[]) =>
  students.filter(({ id, isDeleted }) => id !== '' && !isDeleted)

/** Whom an account has. */
function ownOf({ account }: OfficeClient, students: readonly Student[]): Student[] {
  const components: readonly NstpComponent[] =
    account.components.length > 0 ? account.components : nstpComponents
  return present(students).filter((student) => components.includes(componentOf(student)))
}

/** Every field of every record, nobody lost and nobody twice. */
export async function agreeOnRecords(
  query: Query,
  students: readonly Student[],
  { isArchived }: { isArchived: boolean },
): Promise<void> {
  const found = await query<{ row: Record<string, unknown> }>('select to_json(students) as row from students')
  const rows = found.map(({ row }) => row)
  const column = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const textOf = (row: Record<string, unknown>, field: string) =>
    field === 'yearLevel' ? yearLevelLabel(Number(row.year_level)) : row[column(field)]
  const theirs = rows.map((row) =>
    JSON.stringify([
      ...[row.id, row.reference, row.archived, row.restriction !== null],
      ...studentFieldNames.map((field) => textOf(row, field)),
    ]),
  )
  const ours = present(students).map(({ id, reference, isBlocked, fields, serial }) =>
    JSON.stringify([
      ...[id, reference, isArchived, isBlocked],
      ...studentFieldNames.map((field) => (field === 'serialNumber' ? serial : fields[field])),
    ]),
  )
  expectSame(theirs, ours)
}

/** What each account is shown in the list of students, in its counts and in those of the dashboard. */
export async function agreeOnLists(
  clients: readonly OfficeClient[],
  students: readonly Student[],
  { isArchived }: { isArchived: boolean },
): Promise<void> {
  for (const client of clients) {
    const own = ownOf(client, students)
    const listed = await client.readAll<StudentPage['items'][number]>('/students?archive=all')
    const shown = ({ id, lastName, firstName, nstpComponent }: StudentPage['items'][number]) =>
      [id, lastName, firstName, nstpComponent].join(' ')
    const wanted = own.map(({ id, fields }) =>
      [id, fields.lastName, fields.firstName, fields.nstpComponent].join(' '),
    )
    expectSame(listed.map(shown), wanted, client.account.name)
    const count = (component: NstpComponent) => own.filter((one) => componentOf(one) === component).length
    const active = (component: NstpComponent) => (isArchived ? 0 : count(component))
    expect(await client.read<DashboardCounts>('/dashboard'), client.account.name).toMatchObject({
      totalStudents: isArchived ? 0 : own.length,
      rotcStudents: active('ROTC'),
      cwtsStudents: active('CWTS'),
      ltsStudents: active('LTS'),
      archivedStudents: isArchived ? own.length : 0,
    })
  }
}

export async function agreeOnStatistics(client: OfficeClient, students: readonly Student[]): Promise<void> {
  const own = ownOf(client, students)
  const { total, rotc, cwts, lts, gender } = await client.read<Statistics>('/statistics?period=all-time')
  const count = (is: (student: Student) => boolean) => own.filter(is).length
  const sexes = [gender.male.count, gender.female.count]
  expect([total, rotc.count, cwts.count, lts.count, ...sexes]).toEqual([
    own.length,
    ...nstpComponents.map((component) => count((one) => componentOf(one) === component)),
    ...['Male', 'Female'].map((sex) => count(({ fields }) => fields.sex === sex)),
  ])
}

/** Who limits themselves to one component is shown the enrolments of that one, and all of them. */
export async function agreeOnOwnTerms(
  clients: Readonly<Record<NstpComponent, OfficeClient>>,
  term: Semester,
  students: readonly Student[],
): Promise<void> {
  for (const component of nstpComponents) {
    const client = clients[component]
    const wanted = present(students).flatMap(({ id, enrolments }) =>
      enrolments.filter((one) => one.term === term.number && one.component === component).map(() => id),
    )
    const listed = await client.readAll<EnrolmentItem>(`/terms/${term.id}/enrolments?status=all`)
    expectSame(
      listed.map(({ student }) => student.id),
      wanted,
    )
    const { items } = await client.read<TermSummary>(`/terms/${term.id}/summary`)
    expect(items.map((item) => item.component)).toEqual([component, component])
    expect(items.reduce((sum, { placed }) => sum + placed, 0)).toBe(
      listed.filter(({ status }) => status === 'enrolled').length,
    )
  }
}

/** Every enlistment was answered by one e-mail at most, and by one exactly unless a process was killed meanwhile. */
export async function agreeOnMail(
  query: Query,
  messages: readonly ReceivedMessage[],
  { enlistments, kills }: { enlistments: number; kills: number },
): Promise<string> {
  const rows = await query<{ id: string; state: string }>(
    `select id, state from mail_messages where kind = 'welcome'`,
  )
  const arrived = messages.map(({ id }) => id)
  expect(new Set(arrived).size).toBe(arrived.length)
  expect(rows).toHaveLength(enlistments)
  const idsOf = (state: string) => rows.filter((row) => row.state === state).map(({ id }) => id)
  const received = new Set(arrived)
  expect(idsOf('sent').filter((id) => !received.has(id))).toEqual([])
  const unknown = idsOf('unknown').length
  expect(idsOf('sent').length + unknown).toBe(enlistments)
  if (kills === 0) expect(unknown).toBe(0)
  return `${idsOf('sent').length} sent, ${unknown} unknown`
}

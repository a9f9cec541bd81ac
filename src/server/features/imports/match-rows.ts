import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { invalid } from '#server/lib/errors.ts'
import type { Judge, ListMember, ListPurpose, ListPurposes } from '#server/lib/list-purpose.ts'
import { batchesOf } from '#server/lib/paging.ts'
import { createPause } from '#server/lib/scheduler.ts'
import type { ImportListedPerson, ImportRow } from '#shared/imports/import-response.ts'
import type { ListPurposeName } from '#shared/imports/imports.ts'
import {
  createMatching,
  type Doubt,
  type ListedPerson,
  type PersonMatch,
} from '#shared/imports/match-people.ts'
import { studentName } from '#shared/students/student-name.ts'
import { enrolmentMessages } from '#shared/terms/enrolments.ts'
import type { StoredImport } from './imports-repository.ts'
import { createListRowsRepository, type ListRow } from './list-rows-repository.ts'
import { ownComponentsSentence, shortenedProblems } from './row-fields.ts'
import type { StoredRow } from './rows-repository.ts'

const batchSize = 500

export interface OpenList {
  id: string
  aboutId: string
  name: ListPurposeName
  purpose: ListPurpose
}

/** Returns the list that an import is about; null for an import of students. */
export function listOf(
  { id, purpose, termId, paperId }: Pick<StoredImport, 'id' | 'purpose' | 'termId' | 'paperId'>,
  lists: ListPurposes<ListPurposeName>,
): OpenList | null {
  const aboutId = termId ?? paperId
  return purpose === 'students' || aboutId === null
    ? null
    : { id, aboutId, name: purpose, purpose: lists[purpose] }
}

/**
 * Finds whom each row means, and what it does to them. All rows are compared with all members each time, since a name tells
 * only who has it alone; what a person chose stays.
 */
export async function matchList(tx: Queryable, list: OpenList, access: Access): Promise<void> {
  const { id, aboutId, purpose } = list
  const repository = createListRowsRepository(tx)
  const pause = createPause()
  const members = membersByRecord(await purpose.members(tx, { aboutId, access }))
  const rows: ListRow[] = []
  for await (const batch of batchesOf((after) => repository.list(id, after, batchSize))) rows.push(...batch)
  const compared = rows.filter((row) => row.decision !== 'skip' && namesSomebody(row))
  const judge = await purpose.judging(tx, { aboutId, access, rows: compared })
  const isChosen = ({ matchedBy, recordId }: ListRow) =>
    matchedBy === 'hand' && recordId !== null && members.has(recordId)
  const chosen = compared.filter(isChosen)
  const others = compared.filter((row) => !isChosen(row))
  const found = await findAll(others, compared, members, pause)
  const claim = claimsOf(members)
  const matched = new Map<number, Matched>()
  for (const { number, recordId } of chosen)
    if (recordId !== null) matched.set(number, { recordId, matchedBy: 'hand', ...claim(recordId, number) })
  for (const { number } of others) {
    const match = found.get(number)
    if (match && 'found' in match)
      matched.set(number, { recordId: match.found, matchedBy: match.by, ...claim(match.found, number) })
  }
  const changed: Omit<ListRow, 'fields' | 'decision'>[] = []
  for (const row of rows) {
    const { fields: _fields, decision: _decision, ...before } = row
    const own = { match: found.get(row.number) ?? null, matched: matched.get(row.number) }
    const after = { number: row.number, ...resultOf(row, { ...own, access, judge }) }
    if (!isDeepStrictEqual(before, after)) changed.push(after)
    await pause()
  }
  for (let first = 0; first < changed.length; first += batchSize)
    await repository.saveMatches(id, changed.slice(first, first + batchSize))
}

function membersByRecord(members: readonly ListMember[]): Map<string, ListMember[]> {
  const found = new Map<string, ListMember[]>()
  for (const member of members) {
    const held = found.get(member.recordId)
    if (held) held.push(member)
    else found.set(member.recordId, [member])
  }
  return found
}

/** @param compared all rows, by which a name is one person's alone */
async function findAll(
  rows: readonly ListRow[],
  compared: readonly ListRow[],
  members: ReadonlyMap<string, readonly ListMember[]>,
  pause: () => Promise<void>,
): Promise<Map<number, PersonMatch>> {
  const matching = createMatching()
  for (const [recordId, [member]] of members) {
    if (member) matching.addRecord(recordId, member)
    await pause()
  }
  for (const row of compared) {
    matching.addRow(personOf(row))
    await pause()
  }
  const found = new Map<number, PersonMatch>()
  for (const row of rows) {
    found.set(row.number, matching.find(personOf(row)))
    await pause()
  }
  // The second pass knows who is found for each other row.
  for (const row of rows) {
    const match = found.get(row.number)
    if (match && 'doubt' in match && match.doubt === 'similar')
      found.set(row.number, matching.find(personOf(row)))
    await pause()
  }
  return found
}

interface Matched {
  recordId: string
  matchedBy: NonNullable<ListRow['matchedBy']>
  /** The matched member; null where an earlier row has the member. */
  member: ListMember | null
  earlier: number
}

/** A student of two levels may be in the list twice. */
function claimsOf(ofRecord: ReadonlyMap<string, readonly ListMember[]>) {
  const claims = new Map<string, number[]>()
  return (recordId: string, number: number): Pick<Matched, 'member' | 'earlier'> => {
    const rows = claims.get(recordId) ?? []
    const member = ofRecord.get(recordId)?.[rows.length] ?? null
    if (member) claims.set(recordId, [...rows, number])
    return { member, earlier: rows[0] ?? number }
  }
}

function isOutside({ fields: { nstpComponent = '' } }: ListRow, access: Access): boolean {
  return nstpComponent !== '' && !access.includes(nstpComponent)
}

const namesSomebody = ({ fields }: ListRow) =>
  Boolean(fields.studentId || fields.lastName || fields.firstName || fields.fullName)

function personOf({ fields }: Pick<ListRow, 'fields'>): ListedPerson {
  const text = (field: keyof ListedPerson) => fields[field] ?? ''
  return {
    lastName: text('lastName'),
    firstName: text('firstName'),
    middleName: text('middleName'),
    extensionName: text('extensionName'),
    fullName: text('fullName'),
    studentId: text('studentId'),
    dateOfBirth: text('dateOfBirth'),
    course: text('course'),
    nstpComponent: text('nstpComponent'),
  }
}

const doubtSentences: Readonly<Record<Doubt, string>> = {
  'name differs': 'The number matches, but the name differs.',
  'number differs': 'The name matches, but the number differs.',
  several: 'More than one student may be meant.',
  details: 'The name matches, but nothing else shows that it is the same person.',
  similar: 'The name is similar.',
}

type Result = Omit<ListRow, 'number' | 'fields' | 'decision'>

function resultOf(
  row: ListRow,
  {
    match,
    matched,
    access,
    judge,
  }: { match: PersonMatch; matched: Matched | undefined; access: Access; judge: Judge<ListMember> },
): Result {
  const none: Result = {
    state: 'unmatched',
    problems: [],
    matches: [],
    recordId: null,
    enrolmentId: null,
    matchedBy: null,
  }
  // The chosen student is kept for the time when the row is taken again.
  if (row.decision === 'skip')
    return { ...none, state: 'skipped', recordId: row.recordId, matchedBy: row.matchedBy }
  // A student of the account whom the list has in another component is the difference to act on.
  if (!matched && isOutside(row, access)) {
    return {
      ...none,
      state: 'skipped',
      problems: [{ path: 'nstpComponent', message: ownComponentsSentence(access) }],
    }
  }
  if (!namesSomebody(row)) {
    return {
      ...none,
      state: 'problem',
      problems: [{ path: 'lastName', message: 'This row has neither a name nor a student ID.' }],
    }
  }
  const problems = shortenedProblems(row.fields)
  if (problems.length > 0) return { ...none, state: 'problem', problems }
  if (matched) return verdictOn(row, matched, judge)
  if (match === null || 'found' in match) return none
  return {
    ...none,
    state: 'problem',
    problems: [{ path: 'lastName', message: doubtSentences[match.doubt] }],
    matches: match.candidates.map((studentId) => ({ by: [], studentId, reference: null, row: null })),
  }
}

function verdictOn(
  row: ListRow,
  { recordId, matchedBy, member, earlier }: Matched,
  judge: Judge<ListMember>,
): Result {
  const result = { recordId, matchedBy, problems: [], matches: [], enrolmentId: member?.enrolmentId ?? null }
  if (!member) {
    const twice = { by: ['record' as const], studentId: null, reference: null, row: earlier }
    return { ...result, state: 'duplicate', matches: [twice] }
  }
  const verdict = judge.judge(row, member)
  const changesIt = verdict.state === 'ready' || verdict.state === 'differs'
  if (changesIt && member.restriction !== null) {
    const message = enrolmentMessages.blocked(`${member.lastName}, ${member.firstName}`)
    return { ...result, state: 'problem', problems: [{ path: 'lastName', message }] }
  }
  if (verdict.state === 'differs' && row.decision === 'take') return { ...result, state: verdict.otherwise }
  const said = verdict.state === 'differs' || verdict.state === 'problem' ? verdict : verdict.note
  const problems = said ? [{ path: said.field, message: said.message }] : []
  return { ...result, state: verdict.state, problems }
}

/** @throws AppError `invalid` for somebody who isn't in the term, or in the paper */
export async function mustBeMember(
  db: Queryable,
  { aboutId, name, purpose }: OpenList,
  recordId: string,
  access: Access,
): Promise<void> {
  const [member] = await purpose.members(db, { aboutId, access, recordIds: [recordId] })
  const where = name === 'serials' ? 'a graduate of the paper' : 'enrolled in the term'
  if (!member) throw invalid('studentId', `This student is not ${where}.`)
}

/** Returns the person whom each row of a page means, and those whom it may mean. */
export async function readPeople(
  db: Queryable,
  { aboutId, purpose }: OpenList,
  rows: readonly StoredRow[],
  access: Access,
): Promise<(row: StoredRow) => Pick<ImportRow, 'person' | 'candidates'>> {
  const recordIds = rows.flatMap(({ recordId, matches }) => [
    recordId,
    ...matches.map((one) => one.studentId),
  ])
  const wanted = recordIds.filter((id) => id !== null)
  const members = wanted.length === 0 ? [] : await purpose.members(db, { aboutId, access, recordIds: wanted })
  return ({ recordId: meant, enrolmentId, matchedBy, matches }) => {
    // A row that means a student a second time has the record alone, and no enrolment.
    const own = members.find((member) =>
      enrolmentId === null ? member.recordId === meant : member.enrolmentId === enrolmentId,
    )
    return {
      person: own && matchedBy ? { ...presentMember(own), matchedBy } : null,
      candidates: matches.flatMap(({ studentId }) => {
        const member = members.find(({ recordId }) => recordId === studentId)
        return member ? [presentMember(member)] : []
      }),
    }
  }
}

function presentMember(member: ListMember): ImportListedPerson {
  return {
    studentId: member.recordId,
    name: studentName(member),
    number: member.studentId,
    course: member.course,
    component: member.nstpComponent,
    level: member.level,
    section: member.section,
    ...(member.held === undefined ? {} : { mark: member.held }),
  }
}

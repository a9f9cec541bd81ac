import { comparedName } from '#shared/students/person-names.ts'
import { studentName } from '#shared/students/student-name.ts'
import {
  type CheckContext,
  type Found,
  listRules,
  type NamedPerson,
  personRules,
  type Severity,
} from './check-rules.ts'
import type { PaperField, PaperPerson } from './papers.ts'
import type { Finding } from './papers-response.ts'
import type { FieldFix } from './text-rules.ts'

export interface FoundPerson {
  /** The subject that an answer names. */
  subject: string
  ids: string[]
  versions: number[]
  name: string
  sentence: string
  /** What a person can type where the check shows it; null if the rule proposes a value, or none can be typed. */
  typed: { field: PaperField; value: string } | null
  /** The list is empty if the rule proposes nothing. */
  fixes: FieldFix[]
  enrolment: Finding['people'][number]['enrolment']
}

export interface RuleFinding {
  code: string
  severity: Severity
  title: string
  people: FoundPerson[]
}

/** @param pause lets others work in between. @param isWanted whether a rule is asked */
export async function checkPeople(
  all: readonly PaperPerson[],
  context: CheckContext,
  pause: () => Promise<void>,
  isWanted: (rule: Pick<RuleFinding, 'code' | 'severity'>) => boolean = () => true,
): Promise<RuleFinding[]> {
  const rows = all.filter(({ isListed }) => isListed)
  const findings: RuleFinding[] = []
  const keep = (rule: Omit<RuleFinding, 'people'>, found: Iterable<Found>) => {
    const { code, severity, title } = rule
    const people = [...new Map([...found].map((one) => [subjectOf(one), foundPerson(one)])).values()]
    if (people.length > 0) findings.push({ code, severity, title, people })
  }
  const ofEach = personRules.flatMap((rule) => (isWanted(rule) ? [{ rule, found: [] as Found[] }] : []))
  for (const row of rows) {
    for (const { rule, found } of ofEach)
      for (const said of rule.find(row, context)) found.push({ ...said, people: [row] })
    await pause()
  }
  for (const { rule, found } of ofEach) keep(rule, found)
  // Somebody in two lists of a paper is one person.
  const named: NamedPerson[] = []
  for (const person of new Map(rows.map((row) => [row.studentId, row])).values()) {
    named.push({ person, name: comparedName({ ...person.fields, fullName: '' }) })
    await pause()
  }
  for (const rule of listRules) {
    if (isWanted(rule)) keep(rule, rule.find(named, context))
    await pause()
  }
  return findings.sort((one, other) => (one.code < other.code ? -1 : Number(one.code > other.code)))
}

/** Names one person with the field, two by their ids in ascending order: so an answer holds in the next check too. */
function subjectOf({ people, about, field }: Found): string {
  if (about !== undefined) return about
  const ids = people.map(({ studentId }) => studentId).sort()
  return ids.length === 1 && field ? `${ids[0]} ${field}` : ids.join(' ')
}

function foundPerson(found: Found): FoundPerson {
  // The sentence is about the last.
  const named = found.people.at(-1)
  return {
    subject: subjectOf(found),
    ids: found.people.map(({ studentId }) => studentId),
    versions: found.people.map(({ version }) => version),
    name: named ? studentName(named.fields) : '',
    sentence: found.sentence,
    typed: typedValue(found),
    fixes: [...(found.fixes ?? [])],
    enrolment: named ? enrolmentOf(named) : null,
  }
}

/** Fields whose values are chosen from what the office offers, or take a record off a list: the record's own form asks for them. */
const ofTheRecord: readonly PaperField[] = [
  'course',
  'yearLevel',
  'academicYear',
  'nstpComponent',
  'serialNumber',
]

function typedValue({ people: [person, ...others], field, fixes = [] }: Found): FoundPerson['typed'] {
  if (!person || !field || others.length + fixes.length > 0 || ofTheRecord.includes(field)) return null
  return { field, value: person.fields[field] }
}

function enrolmentOf({ termId, component, level, sectionId }: PaperPerson): FoundPerson['enrolment'] {
  return termId === null ? null : { termId, component, level, sectionId }
}

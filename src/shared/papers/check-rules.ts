import { numberKey } from '#shared/imports/match-people.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { meantMailDomain } from '#shared/mail/mail-domain.ts'
import { ageOn, type CalendarDate, isCalendarDate } from '#shared/program-calendar.ts'
import { areAlike, type ComparedName, writtenExtension } from '#shared/students/person-names.ts'
import { mobileNumber } from '#shared/students/phone-number.ts'
import { sexes } from '#shared/students/student-choices.ts'
import { studentFields } from '#shared/students/student-fields.ts'
import { studentName } from '#shared/students/student-name.ts'
import { cogColumnNames } from '#shared/terms/mark-scheme.ts'
import type { PaperField, PaperPerson, PaperPurpose } from './papers.ts'
import type { Places } from './places.ts'
import { brokenText, noValue, oddTexts, otherProvince, type Said } from './text-rules.ts'

export interface CheckContext {
  purpose: PaperPurpose
  /** The first day of the academic year: ages are counted by it if somebody has no term. */
  startsOn: CalendarDate
  places: Places
  /** The fields of which the paper writes a text into a cell. */
  texts: readonly PaperField[]
  /** Whether the paper has a column for each part of a mark. */
  showsParts: boolean
  /** The labels of what the office has to set before this paper. */
  unset: readonly string[]
  /** Whether the paper needs the official name of this course and doesn't know it. */
  isUnnamed: (course: string) => boolean
  /** The day on which the registrar's list of a term was applied, by the first day of the term. */
  registrarOn: ReadonlyMap<CalendarDate, CalendarDate>
  /** The frozen paper of the same purpose that has the student, by the student's id. */
  inPaper: ReadonlyMap<string, string>
  /** The differences from the paper before; null if there is none. */
  since: { came: number; went: number; changed: number } | null
}

export type Severity = 'stop' | 'ask' | 'note'

/** A finding about one or two people, or about what the office has to set. */
export interface Found extends Said {
  people: readonly PaperPerson[]
  about?: string
}

export interface NamedPerson {
  person: PaperPerson
  name: ComparedName
}

interface Rule {
  code: string
  severity: Severity
  title: string
}

interface PersonRule extends Rule {
  find: (person: PaperPerson, context: CheckContext) => readonly Said[]
}

interface ListRule extends Rule {
  find: (people: readonly NamedPerson[], context: CheckContext) => Iterable<Found>
}

const label = (field: PaperField) => studentFields[field].label
const nameOf = ({ fields }: PaperPerson) => studentName(fields)
const isMissing = (field: PaperField): Said => ({ field, sentence: `${label(field)} is missing.` })

function missing({ fields }: PaperPerson, names: readonly PaperField[]): Said[] {
  return names.filter((field) => fields[field].trim() === '').map(isMissing)
}

function missingNeeded(person: PaperPerson): Said[] {
  const { sex, course, program } = person.fields
  return [
    ...missing(person, ['lastName', 'firstName', 'dateOfBirth']),
    ...(sexes.some((known) => known === sex) ? [] : [isMissing('sex')]),
    ...(course.trim() === '' && program.trim() === '' ? [isMissing('course')] : []),
  ]
}

function ageThat(
  is: (age: number) => boolean,
  person: PaperPerson,
  { startsOn }: CheckContext,
): readonly Said[] {
  const { dateOfBirth } = person.fields
  if (!isCalendarDate(dateOfBirth)) return []
  const age = ageOn(person.startsOn || startsOn, dateOfBirth)
  if (!is(age)) return []
  return [
    {
      field: 'dateOfBirth',
      sentence: `${nameOf(person)} would be ${age} ${age === 1 ? 'year' : 'years'} old.`,
    },
  ]
}

const isImpossible = (age: number) => age < 13 || age > 90
const isUnusual = (age: number) => !isImpossible(age) && (age < 15 || age > 60)

function meantAddress({ fields: { email: before } }: PaperPerson): Said[] {
  const address = before.trim()
  const domain = meantMailDomain(address)
  const at = address.indexOf('@')
  if (domain === undefined || at < 1) return []
  const after = `${address.slice(0, at)}@${domain}`
  return [
    {
      field: 'email',
      sentence: `${before}: did they mean ${after}?`,
      fixes: [{ field: 'email', before, after }],
    },
  ]
}

function noMobile({ fields: { contactNumber: before } }: PaperPerson): Said[] {
  if (before.trim() === '' || mobileNumber(before) !== null) return []
  const digits = before.replace(/\D/g, '')
  // A spreadsheet takes the zero away; people write it behind +63.
  const after =
    mobileNumber(digits) ?? mobileNumber(`0${digits}`) ?? mobileNumber(digits.replace(/^630/, '0'))
  return [
    {
      field: 'contactNumber',
      sentence: `${before} is no mobile number.`,
      fixes: after === null ? [] : [{ field: 'contactNumber', before, after }],
    },
  ]
}

function oddNames({ fields }: PaperPerson): Said[] {
  return (['lastName', 'firstName', 'middleName'] as const).flatMap((field): Said[] => {
    const before = fields[field]
    const cleaned = before.trim().replace(/\s+/g, ' ')
    if (cleaned === '') return []
    const said = { field, sentence: `“${before}” as ${label(field)}?` }
    const isMiddle = field === 'middleName'
    if (noValue.test(cleaned)) return [isMiddle ? { ...said, fixes: [{ field, before, after: '' }] } : said]
    // Many schools have only the initial of a middle name.
    if (/[\d?]/.test(cleaned) || brokenText.test(cleaned) || (!isMiddle && /^\p{L}\.?$/u.test(cleaned)))
      return [said]
    return cleaned === before ? [] : [{ ...said, fixes: [{ field, before, after: cleaned }] }]
  })
}

const extension = /(?:^|[\s,]+)(jr|sr|ii|iii|iv|v)\.?(?=[\s,]|$)/i

function extensionInName({ fields }: PaperPerson): Said[] {
  return (['lastName', 'firstName'] as const).flatMap((field): Said[] => {
    const before = fields[field]
    const [whole = '', word = ''] = extension.exec(before) ?? []
    const after = before.replace(whole, '').replace(/^[\s,]+|[\s,]+$/g, '')
    if (word === '' || after === '') return []
    const written = writtenExtension(word) ?? word
    const held = fields.extensionName
    return [
      {
        field,
        sentence: `Move “${written}” from ${label(field)} to ${label('extensionName')}?`,
        fixes: [
          { field, before, after },
          ...(held === '' ? [{ field: 'extensionName' as const, before: held, after: written }] : []),
        ],
      },
    ]
  })
}

function townAndProvince({ fields }: PaperPerson, { places }: CheckContext): Said[] {
  const { municipalCity, province: before } = fields
  const parts = municipalCity.split(',')
  const written = parts.length > 1 ? places.province(parts.at(-1) ?? '') : undefined
  const town = (written === undefined ? parts : parts.slice(0, -1)).join(',').trim()
  const provinces = places.provincesOf(town)
  const meant = written ?? (provinces.length === 1 ? provinces[0] : undefined)
  const said = (sentence: string): Said[] => [
    {
      field: 'province',
      sentence,
      fixes: meant === undefined ? [] : [{ field: 'province', before, after: meant }],
    },
  ]
  if (before.trim() === '')
    return meant === undefined ? [isMissing('province')] : said(`${town} is in ${meant}.`)
  if (town === '') return []
  if (provinces.length === 0) return [{ field: 'province', sentence: `${town} isn’t a town that we know.` }]
  const isOther = written !== undefined && written !== places.province(before)
  if (isOther) return said(`“${municipalCity}” says ${written}, but the province is ${before}.`)
  if (provinces.some((province) => province === places.province(before))) return []
  return said(`${town} is in ${provinces.join(' or ')}, not in ${before}.`)
}

function noBarangay({ fields }: PaperPerson, { purpose }: CheckContext): Said[] {
  const { address, barangay: before } = fields
  if (purpose !== 'roster' || before.trim() !== '') return []
  const after = /\b(?:brgy|bgy|barangay)\b\.?\s*([^,]+)/i.exec(address)?.[1]?.trim()
  if (after === undefined) return [isMissing('barangay')]
  return [
    {
      field: 'barangay',
      sentence: `${label('barangay')} is ${after}?`,
      fixes: [{ field: 'barangay', before, after }],
    },
  ]
}

// A person may have two citizenships, as in "Dual (Filipino and American)".
const filipino = /^(?!non).*\b(?:filipin[oa]|pilipin[oa]|philippines?|pinoy|pinay)\b|^ph$/i

function foreign({ fields: { citizenship } }: PaperPerson): Said[] {
  if (citizenship.trim() === '' || filipino.test(citizenship.trim())) return []
  return [{ field: 'citizenship', sentence: `Citizenship is ${citizenship}.` }]
}

/** Groups people with the same key. People without a key are in no group. */
function groupsOf(people: readonly NamedPerson[], keyOf: (one: NamedPerson) => string): NamedPerson[][] {
  const groups = new Map<string, NamedPerson[]>()
  for (const one of people) {
    const key = keyOf(one)
    const held = groups.get(key)
    if (held) held.push(one)
    else if (key !== '') groups.set(key, [one])
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

type Pair = readonly [NamedPerson, NamedPerson]

/** Each with the one before: three are two pairs. */
function pairsOf(groups: readonly NamedPerson[][]): Pair[] {
  return groups.flatMap((group) =>
    group.flatMap((one, index) => {
      const before = group[index - 1]
      return before ? [[before, one] as const] : []
    }),
  )
}

/** The sentence is about the second. */
const ofPair = ([one, other]: Pair, sentence: string, field?: PaperField): Found => ({
  people: [one.person, other.person],
  sentence,
  ...(field && { field }),
})

/** The last name comes before the first: names in the wrong fields are asked about, not stopped. */
const personKey = ({ name: { last, first } }: NamedPerson) => [last.join(''), first.join('')].join(' ').trim()
const nameAndBirth = (one: NamedPerson) =>
  personKey(one) === '' ? '' : `${personKey(one)} ${one.person.fields.dateOfBirth}`

const differ = (one: string, other: string) => one !== '' && other !== '' && one !== other

/** Another middle name or extension says that they are two people. */
const areApart = ([{ name: one }, { name: other }]: Pair) =>
  differ(one.middle.slice(0, 1), other.middle.slice(0, 1)) || differ(one.extension, other.extension)

const isTwice = (pair: Pair) => nameAndBirth(pair[0]) === nameAndBirth(pair[1]) && !areApart(pair)

// A date that more have is one that somebody filled in.
const mostBornOnADay = 100

function similarNames(people: readonly NamedPerson[]): Found[] {
  const sameDay = groupsOf(people, ({ person }) => person.fields.dateOfBirth)
    .filter(({ length }) => length <= mostBornOnADay)
    .flatMap((group) =>
      group.flatMap((other, index) => group.slice(0, index).map((one) => [one, other] as const)),
    )
    .filter((pair) => areAlike(pair[0].name, pair[1].name) && !isTwice(pair))
  const sameName = pairsOf(groupsOf(people, personKey)).filter(
    (pair) => pair[0].person.fields.dateOfBirth !== pair[1].person.fields.dateOfBirth && !areApart(pair),
  )
  return [...sameDay, ...sameName].map((pair) =>
    ofPair(pair, `May be the same person as ${nameOf(pair[0].person).replace(/\.$/, '')}.`),
  )
}

/** Decision 058. There is no K17 and no K19: freezing itself compares the summary with the rows. */
export const personRules: readonly PersonRule[] = [
  { code: 'K01', severity: 'stop', title: 'Without what every paper needs', find: missingNeeded },
  {
    code: 'K01',
    severity: 'ask',
    title: 'Without town, e-mail or phone',
    find: (person) => missing(person, ['municipalCity', 'email', 'contactNumber']),
  },
  {
    code: 'K02',
    severity: 'stop',
    title: 'Impossible age',
    find: (person, context) => ageThat(isImpossible, person, context),
  },
  {
    code: 'K02',
    severity: 'ask',
    title: 'Unusual age',
    find: (person, context) => ageThat(isUnusual, person, context),
  },
  { code: 'K06', severity: 'ask', title: 'E-mail with a typing error', find: meantAddress },
  { code: 'K07', severity: 'ask', title: 'No mobile number', find: noMobile },
  {
    code: 'K08',
    severity: 'ask',
    title: 'NSTP 2 passed without NSTP 1',
    find: ({ level, outcome, hasNstp1 }) =>
      level === 2 && outcome === 'passed' && !hasNstp1 ? [{ sentence: 'NSTP 1 is missing.' }] : [],
  },
  {
    code: 'K09',
    severity: 'ask',
    title: 'NSTP 2 without a mark',
    find: ({ level, outcome }, { purpose }) =>
      level === 2 && outcome === 'none' && purpose !== 'enrolment' ? [{ sentence: 'No mark yet.' }] : [],
  },
  {
    code: 'K10',
    severity: 'stop',
    title: 'In another paper already',
    find: ({ studentId, list }, { inPaper }) => {
      const paper = list === 'enrolment' ? undefined : inPaper.get(studentId)
      return paper === undefined ? [] : [{ sentence: `Already in ${paper}.` }]
    },
  },
  {
    code: 'K11',
    severity: 'ask',
    title: 'Two components',
    find: ({ level, nstp1Component: one, component: two }) =>
      level === 2 && differ(one, two) ? [{ sentence: `NSTP 1 in ${one}, NSTP 2 in ${two}.` }] : [],
  },
  { code: 'K12', severity: 'ask', title: 'Odd name', find: oddNames },
  {
    code: 'K12',
    severity: 'ask',
    title: 'Odd text',
    find: (person, { texts }) => oddTexts(person, texts),
  },
  { code: 'K13', severity: 'ask', title: 'Extension inside a name', find: extensionInName },
  { code: 'K14', severity: 'ask', title: 'Town and province', find: townAndProvince },
  { code: 'K14', severity: 'ask', title: 'Another province in the address', find: otherProvince },
  { code: 'K14', severity: 'ask', title: 'Without a barangay', find: noBarangay },
  {
    code: 'K16',
    severity: 'stop',
    title: 'Not to be passed on',
    find: ({ restriction, isExempt }) => [
      ...(restriction ? [{ sentence: 'Blocked: not to be passed on.' }] : []),
      ...(isExempt ? [{ sentence: 'Exempt from NSTP.' }] : []),
    ],
  },
  {
    code: 'K16',
    severity: 'ask',
    title: 'From another school or country',
    find: (person) => [
      ...(person.entry === 'cross-enrolled' ? [{ sentence: 'Cross-enrolled from another school.' }] : []),
      ...foreign(person),
    ],
  },
  {
    code: 'K18',
    severity: 'ask',
    title: 'Not on the registrar’s list',
    find: ({ isOfficial, startsOn }, { registrarOn }) => {
      const day = registrarOn.get(startsOn)
      return day === undefined || isOfficial ? [] : [{ sentence: `Not on the registrar’s list of ${day}.` }]
    },
  },
]

/** The rules about two people. K06 is one about a single person too. */
export const pairRules = ['K03', 'K04', 'K05', 'K06'] as const

export const listRules: readonly ListRule[] = [
  {
    code: 'K03',
    severity: 'stop',
    title: 'In the list twice',
    find: (people) =>
      pairsOf(groupsOf(people, nameAndBirth))
        .filter(isTwice)
        .map((pair) => ofPair(pair, 'In the list twice.')),
  },
  { code: 'K04', severity: 'ask', title: 'Maybe in the list twice', find: similarNames },
  {
    code: 'K05',
    severity: 'stop',
    title: 'One student number, two people',
    find: (people) =>
      pairsOf(groupsOf(people, ({ person }) => numberKey(person.fields.studentId))).map((pair) =>
        ofPair(
          pair,
          `${pair[1].person.fields.studentId} belongs to ${nameOf(pair[0].person)} too.`,
          'studentId',
        ),
      ),
  },
  {
    code: 'K06',
    severity: 'ask',
    title: 'One e-mail address, two people',
    find: (people) =>
      pairsOf(groupsOf(people, ({ person }) => addressKey(person.fields.email.trim()))).map((pair) =>
        ofPair(pair, `${pair[1].person.fields.email} is that of ${nameOf(pair[0].person)} too.`, 'email'),
      ),
  },
  {
    code: 'K15',
    severity: 'stop',
    title: 'Missing in the settings',
    find: (_people, { unset }) =>
      unset.map((about) => ({ people: [], about, sentence: `${about} isn’t set.` })),
  },
  {
    code: 'K15',
    severity: 'ask',
    title: 'Course without its official name',
    find: (people, { isUnnamed }) => {
      const courses = people
        .filter(({ person }) => person.fields.program.trim() === '')
        .map(({ person }) => person.fields.course)
      return [...new Set(courses)]
        .filter((course) => course !== '' && isUnnamed(course))
        .map((about) => ({ people: [], about, sentence: `${about} has no official name.` }))
    },
  },
  {
    code: 'K21',
    severity: 'note',
    title: 'Marks without parts',
    find: (people, { showsParts }) => {
      const marked = people.filter(({ person: { outcome } }) => outcome === 'passed' || outcome === 'failed')
      const blank = marked.filter(({ person }) =>
        cogColumnNames.some((column) => person.cog[column] === undefined),
      )
      if (!showsParts || blank.length === 0) return []
      const sentence = `${blank.length} of ${marked.length} marks lack parts: their columns stay blank.`
      return [{ people: [], about: 'parts', sentence }]
    },
  },
  {
    code: 'K20',
    severity: 'note',
    title: 'Since the paper before',
    find: (_people, { since }) => {
      if (since === null || since.came + since.went + since.changed === 0) return []
      const { came, went, changed } = since
      return [
        {
          people: [],
          about: 'paper before',
          sentence: `${came} came, ${went} went, ${changed} changed.`,
        },
      ]
    },
  },
]

export const ruleCodes: ReadonlySet<string> = new Set([...personRules, ...listRules].map(({ code }) => code))

import * as z from 'zod/mini'
import { shapeError, someOf } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import type { Restriction } from '#shared/privacy/privacy.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { cogCellsOf } from '#shared/terms/mark-proposal.ts'
import {
  academicYearSchema,
  type EnrolmentEntry,
  type Level,
  levels,
  type Outcome,
  type Semester,
  sectionMessages,
} from '#shared/terms/terms.ts'

export const layoutCodes = [
  'ched-workbook',
  'osds-2b',
  'rotc-grades',
  'rotc-roster',
  'registrar-grades',
] as const
export type LayoutCode = (typeof layoutCodes)[number]

/** Why somebody is in a paper. A paper of graduates lists nobody whom another one of its layout has. */
export const paperPurposes = ['enrolment', 'graduates', 'roster', 'grades'] as const
export type PaperPurpose = (typeof paperPurposes)[number]

export const paperStates = ['draft', 'frozen', 'sent', 'returned', 'accepted'] as const
export type PaperState = (typeof paperStates)[number]

/** The lists of a paper. People who are `unlisted` are only counted. */
export const paperLists = ['enrolment', 'graduates', 'unlisted'] as const
export type PaperList = (typeof paperLists)[number]

export interface PaperOptions {
  // ROTC is always counted, and listed only with this option.
  listsRotc: boolean
  // Paper 2-B lists who graduated instead of who is enrolled.
  ofGraduates: boolean
  // The level that paper 2-B is about.
  level: Level
}

export const defaultOptions: PaperOptions = { listsRotc: false, ofGraduates: false, level: 1 }

const paperAnswers = ['meant', 'left out'] as const
export type PaperAnswer = (typeof paperAnswers)[number]

/** The fields of a record that papers, their checks and certificates read. */
export const paperFields = [
  'lastName',
  'firstName',
  'middleName',
  'extensionName',
  'address',
  'barangay',
  'municipalCity',
  'province',
  'dateOfBirth',
  'sex',
  'contactNumber',
  'email',
  'citizenship',
  'studentId',
  'course',
  'program',
  'yearLevel',
  'academicYear',
  'serialNumber',
  'nstpComponent',
] as const satisfies readonly StudentField[]
export type PaperField = (typeof paperFields)[number]

/** Somebody of a paper as of now: what checks read, and what cells are made of when it is frozen. */
export interface PaperPerson {
  // The list that the person belongs to, whether or not the paper lists them.
  list: 'enrolment' | 'graduates'
  isListed: boolean
  studentId: string
  version: number
  fields: Readonly<Record<PaperField, string>>
  component: NstpComponent
  level: Level
  // The term, unit, section and entry are of the enrolment in this level. They are empty or null if a credit replaces it.
  semester: Semester | null
  startsOn: string
  termId: string | null
  sectionId: string | null
  unit: string
  section: string
  entry: EnrolmentEntry | ''
  // The home school of who is cross-enrolled.
  school: string
  isOfficial: boolean
  mark: string
  outcome: Outcome
  // It has two decimals; '' says that the mark was entered without parts.
  percent: string
  // The parts with which the mark was entered.
  cog: ReturnType<typeof cogCellsOf>
  // Whether NSTP 1 is passed or credited, and in which component; '' where a credit names none.
  hasNstp1: boolean
  nstp1Component: NstpComponent | ''
  isTransferee: boolean
  isExempt: boolean
  restriction: Restriction | null
}

export const paperLimits = {
  title: 120,
  note: 500,
  how: 60,
  reference: 80,
  basis: 64,
  reason: 200,
  serial: 40,
  // Findings that are corrected or answered together.
  together: 1_500,
} as const

/** The largest size of the office's own workbook, in bytes. */
export const maxBaseBytes = 5 * 1024 * 1024

export const paperMessages = {
  layout: 'Please choose the paper.',
  components: 'Please choose at least one component.',
  notOfLayout: (title: string, components: readonly string[]) =>
    `${title} is of ${components.join(', ')} only.`,
  oneComponent: (title: string) => `Please choose one component: ${title} is of one.`,
  notYours: 'Your account can only make papers of its own components.',
  term: 'Please choose the term.',
  dueOn: 'Please enter the due date as a date.',
  option: 'Please set this to on or off.',
  state: 'Please choose sent, accepted or returned.',
  on: 'Please enter the day as a date.',
  onFuture: 'Please enter a day that is not in the future.',
  beforeSent: 'Please enter a day that is not before the paper was sent.',
  basis: 'Please send the basis of the check.',
  missing: 'This paper could not be found.',
  frozen: 'This paper is frozen. Unfreeze it, or make a corrected paper.',
  sent: 'This paper was sent. What was sent never changes.',
  notFrozen: 'Please freeze this paper first.',
  notSent: 'Mark this paper as sent first.',
  notNow: (from: PaperState, to: PaperState) => `A paper that is ${from} can't become ${to}.`,
  notReturned: 'Only a returned paper is corrected.',
  stale: 'Records or answers have changed since the check. Please look at it again.',
  sexes: 'Somebody’s sex is neither Male nor Female, so the summary would differ from the lists.',
  empty: 'This paper lists nobody.',
  blocked: (count: number) =>
    `${count === 1 ? '1 person has' : `${count} people have`} been blocked since. Unfreeze this paper.`,
  noFile: 'Please choose the workbook.',
  tooBig: 'This workbook is larger than 5 MB. Please remove its pictures or old rows.',
  columns: 'Please choose each column by its letters.',
  columnTwice: 'Please choose each column once.',
  noColumn: 'Please choose columns that have a heading.',
  fileName: 'Please rename the file: its name has unusual characters.',
  noSheet: (name: string) => `This workbook has no sheet “${name}”.`,
  otherLabel: (sheet: string, at: string, text: string) =>
    `Cell ${at} of the sheet “${sheet}” should be “${text}”: the counts are written beside it.`,
  noHeadings: (sheet: string, heads: readonly string[]) =>
    `The sheet “${sheet}” has no headings such as ${heads.join(', ')} in its first 15 rows.`,
  noBase: 'There is no own workbook.',
  noOwn: (title: string) =>
    `You can’t upload your own workbook for ${title}: its headings repeat for each part.`,
  lacks: (head: string) =>
    `Your own workbook has no column “${head}”. Upload the one for this list, or remove it under Layouts.`,
  otherList:
    'Your own workbook is for another list of this form. Upload the one for this list, or remove it under Layouts.',
  rule: 'Please name the rule.',
  subject: 'Please name whom this is about.',
  people: 'Please choose at least one person.',
  tooManyFixes: `Please correct at most ${paperLimits.together} at once.`,
  tooManyAnswers: `Please answer for at most ${paperLimits.together} at once.`,
  answer: 'Please answer: meant or left out.',
  reason: 'Please say why.',
  component: 'Please choose the component.',
  first: 'Please enter the first serial number.',
  last: 'Please enter the last serial number.',
  stops: (count: number) =>
    count === 1 ? '1 thing must be fixed first.' : `${count} things must be fixed first.`,
} as const

const shape = shapeError('Please send one paper.')
const optional = { required: false }

const changeable = {
  title: line('title', paperLimits.title, optional),
  components: z
    .array(z.enum(nstpComponents, paperMessages.components), paperMessages.components)
    .check(z.minLength(1, paperMessages.components)),
  options: z.strictObject(
    {
      listsRotc: z.boolean(paperMessages.option),
      ofGraduates: z.boolean(paperMessages.option),
      level: z.literal(levels, sectionMessages.level),
    },
    shape,
  ),
  dueOn: z.nullable(z.iso.date(paperMessages.dueOn)),
  note: line('note', paperLimits.note, optional),
}

export const newPaperSchema = z.strictObject(
  {
    layout: z.enum(layoutCodes, paperMessages.layout),
    academicYear: academicYearSchema,
    termId: z._default(z.nullable(z.uuid(paperMessages.term)), null),
    ...changeable,
  },
  shape,
)
export type NewPaper = z.output<typeof newPaperSchema>

export const paperEditSchema = z.strictObject(changeable, shape)
export type PaperEdit = z.output<typeof paperEditSchema>

export const freezeSchema = z.strictObject(
  { basis: z.string(paperMessages.basis).check(z.maxLength(paperLimits.basis, paperMessages.basis)) },
  shape,
)

export const paperStateSchema = z.strictObject(
  {
    state: z.enum(['sent', 'accepted', 'returned'], paperMessages.state),
    on: z.iso.date(paperMessages.on),
    how: z._default(line('way of sending', paperLimits.how, optional), ''),
    reference: z._default(line('reference', paperLimits.reference, optional), ''),
    note: z._default(line('note', paperLimits.note, optional), ''),
  },
  shape,
)
export type PaperStep = z.output<typeof paperStateSchema>

const code = z.string(paperMessages.rule).check(z.regex(/^K\d\d$/, paperMessages.rule))
const subject = z
  .string(paperMessages.subject)
  .check(z.minLength(1, paperMessages.subject), z.maxLength(120, paperMessages.subject))

/** `version` is the one seen. Null means everybody with a proposed correction whom nobody marked as meant. */
export const paperFixesSchema = z.strictObject(
  {
    code,
    people: z.nullable(
      someOf(
        z.strictObject({ subject, version: z.int() }),
        paperLimits.together,
        paperMessages.people,
        paperMessages.tooManyFixes,
      ),
    ),
  },
  shapeError('Please send what is corrected.'),
)
export type PaperFixes = z.output<typeof paperFixesSchema>

/** `meant`: what a rule asks is right · `left out`: these students, by their ids · null takes an answer back */
export const paperAnswersSchema = z
  .strictObject(
    {
      code,
      subjects: someOf(subject, paperLimits.together, paperMessages.people, paperMessages.tooManyAnswers),
      answer: z.nullable(z.enum(paperAnswers, paperMessages.answer)),
      reason: line('reason', paperLimits.reason, optional),
    },
    shapeError('Please send the answer.'),
  )
  .check(
    z.refine<{ answer: PaperAnswer | null; reason: string }>(
      ({ answer, reason }) => answer === null || reason !== '',
      { path: ['reason'], error: paperMessages.reason },
    ),
  )
export type PaperAnswers = z.output<typeof paperAnswersSchema>

const serial = (sentence: string) =>
  z.string(sentence).check(z.trim(), z.minLength(1, sentence), z.maxLength(paperLimits.serial, sentence))

export const serialRangeSchema = z.strictObject(
  {
    component: z.enum(nstpComponents, paperMessages.component),
    first: serial(paperMessages.first),
    last: serial(paperMessages.last),
    reference: z._default(line('reference', paperLimits.reference, optional), ''),
    receivedOn: z._default(z.nullable(z.iso.date(paperMessages.on)), null),
  },
  shapeError('Please send the range.'),
)
export type SerialRange = z.output<typeof serialRangeSchema>

import * as z from 'zod/mini'
import { dayOf, shapeError, someOf } from '#shared/field-rules.ts'
import { formText, line, textMessages } from '#shared/form-text.ts'
import { monthNames } from '#shared/program-calendar.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { isAcademicYear } from '#shared/students/students.ts'

/** completion: of a graduate of a year · certification: of a graduate with a serial number, of whichever year. */
export const certificateKinds = ['completion', 'certification'] as const
export type CertificateKind = (typeof certificateKinds)[number]

/**
 * differs: the record's name or serial number is another one by now · unconfirmed: the marks and credits of today don't say
 * what it says · erased: the person's data was deleted.
 */
export const certificateStates = ['issued', 'differs', 'unconfirmed', 'revoked', 'erased'] as const
export type CertificateState = (typeof certificateStates)[number]

export const certificateLimits = {
  issuedAtOnce: 2_000,
  printedAtOnce: 500,
  signatories: 3,
  name: 120,
  reason: 300,
  wording: 1_000,
} as const

/** Why a student can't get a certificate. */
export const hindrances = ['blocked', 'notGraduate', 'shared', 'noSerial', 'elsewhere'] as const
export type Hindrance = (typeof hindrances)[number]

const hindranceSentences: Readonly<Record<Hindrance, string>> = {
  blocked: 'The record is blocked, so no certificate can be issued.',
  notGraduate:
    'By the marks and credits this student has not completed NSTP 1 and 2, or not in that academic year. If they graduated before this system, add credits of both levels first.',
  shared: 'Another student has the same serial number. Correct it in one of the two records first.',
  noSerial: 'The record has no serial number.',
  elsewhere: 'This student completed NSTP in a component that your account does not have.',
}

const figure = (count: number) => count.toLocaleString('en-US')

const hindranceWords: Readonly<Record<Hindrance, string>> = {
  blocked: 'blocked',
  notGraduate: 'not graduates by the marks and credits',
  shared: 'with a serial number that another student also has',
  noSerial: 'without a serial number',
  elsewhere: 'of components that your account does not have',
}

/** Why students got no certificate. @param of how many were wanted: of one it is said in full */
export function leftOutSentence(leftOut: readonly { why: Hindrance; count: number }[], of: number): string {
  const [first] = leftOut
  if (of === 1 && first) return hindranceSentences[first.why]
  return `Left out: ${leftOut.map(({ why, count }) => `${figure(count)} ${hindranceWords[why]}`).join(', ')}.`
}

export const certificateMessages = {
  kind: 'Please choose a certificate of completion or a certification.',
  students: `Please select 1 to ${figure(certificateLimits.issuedAtOnce)} students.`,
  academicYear: 'Please choose the academic year.',
  issuedOn: 'Please enter the day of issue as a date.',
  signatories: `Please name at most ${certificateLimits.signatories} people who sign.`,
  withoutSerial: 'Please send true to include students without a serial number, or false.',
  printed: `Please select 1 to ${certificateLimits.printedAtOnce} certificates, or name those issued together.`,
  missing: 'This certificate could not be found.',
  gone: 'Some of these certificates are no longer valid. Please select again.',
  revoked: 'This certificate was revoked already.',
  ofBoth: 'Both records have a certificate. Revoke one first.',
  withoutRecord: 'The record of this person was deleted.',
  ...hindranceSentences,
  noPublicAddress:
    'Certificates need the public address of the portal, to be verified. Please set it in System Settings.',
  nameless: 'The wording needs {name}.',
  placeholder: (name: string) => `{${name}} can’t be filled in. Please correct it, or remove the braces.`,
} as const

const signatory = z.strictObject({
  name: line('name of who signs', certificateLimits.name),
  title: line('title of who signs', certificateLimits.name, { required: false }),
})
export type Signatory = z.output<typeof signatory>

const signatoriesSchema = z.readonly(
  z
    .array(signatory, certificateMessages.signatories)
    .check(z.maxLength(certificateLimits.signatories, certificateMessages.signatories)),
)

const issuedOn = dayOf(certificateMessages.issuedOn)

export const newCertificatesSchema = z
  .strictObject(
    {
      kind: z.enum(certificateKinds, certificateMessages.kind),
      students: someOf(
        z.uuid(certificateMessages.students),
        certificateLimits.issuedAtOnce,
        certificateMessages.students,
      ),
      // The year of the graduates of a certificate of completion. A certification has the year of the record.
      academicYear: z._default(
        z
          .string(certificateMessages.academicYear)
          .check(z.refine((year) => year === '' || isAcademicYear(year), certificateMessages.academicYear)),
        '',
      ),
      issuedOn,
      signatories: z._default(signatoriesSchema, []),
      // A certificate of completion may say "serial number to follow".
      withoutSerial: z._default(z.boolean(certificateMessages.withoutSerial), false),
    },
    shapeError('Please send whose certificates are issued.'),
  )
  .check(
    z.refine<{ kind: CertificateKind; academicYear: string }>(
      ({ kind, academicYear }) => kind !== 'completion' || academicYear !== '',
      { path: ['academicYear'], error: certificateMessages.academicYear },
    ),
  )
export type NewCertificates = z.output<typeof newCertificatesSchema>

interface Printed {
  ids?: string[] | undefined
  batchId?: string | undefined
}

export const certificatePrintSchema = z
  .strictObject(
    {
      ids: z.optional(
        someOf(
          z.uuid(certificateMessages.printed),
          certificateLimits.printedAtOnce,
          certificateMessages.printed,
        ),
      ),
      // All that were issued together, the next after a number.
      batchId: z.optional(z.uuid(certificateMessages.printed)),
      after: z._default(z.string(certificateMessages.printed).check(z.maxLength(30)), ''),
    },
    shapeError('Please send which certificates are printed.'),
  )
  .check(
    z.refine<Printed>(
      ({ ids, batchId }) => (ids === undefined) !== (batchId === undefined),
      certificateMessages.printed,
    ),
  )
export type CertificatePrint = z.output<typeof certificatePrintSchema>

export const certificateRevokeSchema = z.strictObject(
  { reason: line('reason', certificateLimits.reason) },
  shapeError('Please send why it is revoked.'),
)

export const reissueSchema = z.strictObject({ issuedOn }, shapeError('Please send the day of issue.'))

const componentNames: Readonly<Record<NstpComponent, string>> = {
  ROTC: 'Reserve Officers Training Corps',
  CWTS: 'Civic Welfare Training Service',
  LTS: 'Literacy Training Service',
}

const placeholders = [
  'name',
  'component',
  'componentName',
  'academicYear',
  'serial',
  'day',
  'month',
  'year',
] as const

function problemOfWording(text: string): string | undefined {
  const named = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const unknown = named.find((name) => !placeholders.some((known) => known === name))
  if (unknown !== undefined) return certificateMessages.placeholder(unknown)
  return named.includes('name') ? undefined : certificateMessages.nameless
}

const wordingOf = (what: string) =>
  formText(what, {
    max: certificateLimits.wording,
    multiline: true,
    required: textMessages.required(what),
    check: problemOfWording,
  })

/** A line of the paper each; the first is the title, and the one with the name is large. */
export const wordingSchema = z.strictObject({
  completion: wordingOf('wording of the certificate'),
  rotc: wordingOf('wording of the ROTC certificate'),
  certification: wordingOf('wording of the certification'),
})
export type CertificateWording = z.output<typeof wordingSchema>

/** Section 8 of Republic Act 9163 names the certificate; the wording is that of usual ones. */
export const defaultWording: CertificateWording = {
  completion: [
    'Certificate of Completion',
    'This certificate is awarded to',
    '{name}',
    'in recognition of the successful completion of',
    'NATIONAL SERVICE TRAINING PROGRAM 1 and 2',
    '{componentName} ({component})',
    'for two academic semesters, Academic Year {academicYear}',
    'In compliance with R.A. 9163, the NSTP Act of 2001',
    'Given on the {day} of {month} {year}',
  ].join('\n'),
  rotc: [
    'Certificate of Completion',
    'This certificate is awarded to',
    'Pvt {name} {serial}',
    'for having satisfactorily completed the',
    'RESERVE OFFICERS TRAINING CORPS (ROTC) COMPONENT OF THE NATIONAL SERVICE TRAINING PROGRAM (NSTP)',
    'A.Y. {academicYear}',
    'Given on the {day} of {month} {year}',
  ].join('\n'),
  certification: [
    'CERTIFICATION',
    'This is to certify that {name} completed NSTP ({component}) in {academicYear} with serial number {serial}.',
    'Given on the {day} of {month} {year}',
  ].join('\n'),
}

interface Worded {
  kind: CertificateKind
  component: NstpComponent
  academicYear: string
  issuedOn: string
  firstName: string
  middleName: string
  lastName: string
  extensionName: string
  serialNumber: string
}

/** The words of a certificate, line by line. */
export function certificateLines(
  wording: CertificateWording,
  { kind, component, academicYear, issuedOn, serialNumber, ...person }: Worded,
): { text: string; isName: boolean }[] {
  const text = wording[kind === 'completion' && component === 'ROTC' ? 'rotc' : kind]
  const day = new Date(`${issuedOn}T00:00:00Z`)
  const values: Record<(typeof placeholders)[number], string> = {
    name: kind === 'completion' ? fullName(person).toUpperCase() : fullName(person),
    component,
    componentName: componentNames[component],
    academicYear,
    serial: serialNumber,
    day: ordinal(day.getUTCDate()),
    month: monthNames[day.getUTCMonth()] ?? '',
    year: String(day.getUTCFullYear()),
  }
  return text
    .split('\n')
    .map((line) => ({
      text: placeholders
        .reduce((filled, name) => filled.replaceAll(`{${name}}`, () => values[name]), line)
        .trim(),
      isName: kind === 'completion' && line.includes('{name}'),
    }))
    .filter((line) => line.text !== '')
}

type NamedPerson = Pick<Worded, 'firstName' | 'middleName' | 'lastName' | 'extensionName'>

/** 'Juan Pablo Dela Cruz Jr.' */
export function fullName({ firstName, middleName, lastName, extensionName }: NamedPerson): string {
  return [firstName, middleName, lastName, extensionName].filter(Boolean).join(' ')
}

const rules = new Intl.PluralRules('en-US', { type: 'ordinal' })
const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' }

/** 1 → '1st' */
function ordinal(day: number): string {
  return `${day}${endings[rules.select(day)] ?? 'th'}`
}

/** For the public: who has the paper recognises the name, nobody else learns it. 'J*** D. C***' */
export function maskedName({ firstName, middleName, lastName }: NamedPerson): string {
  const initial = (text: string) => [...text.trim()][0] ?? ''
  const masked = (text: string) => (text.trim() === '' ? '' : `${initial(text)}***`)
  const middle = initial(middleName)
  return [masked(firstName), middle && `${middle}.`, masked(lastName)].filter(Boolean).join(' ')
}

export const codeLength = 12

/** Reads a code as people type it: with blanks and hyphens, in small letters. */
export function readCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

/** '7K3DM9QXABCD' → '7K3D-M9QX-ABCD' */
export function writtenCode(code: string): string {
  return code.match(/.{1,4}/g)?.join('-') ?? ''
}

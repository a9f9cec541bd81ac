import { expect, test } from 'vitest'
import filipino from '#shared/site/filipino.json' with { type: 'json' }
import { translate } from '#shared/site/translation.ts'
import {
  certificateLines,
  certificateMessages,
  defaultWording,
  fullName,
  maskedName,
  readCode,
  wordingSchema,
  writtenCode,
} from './certificates.ts'

const person = { firstName: 'Juan Pablo', middleName: 'Dizon', lastName: 'Peña', extensionName: 'Jr.' }
const issued = {
  ...person,
  academicYear: '2025-2026',
  issuedOn: '2026-05-30',
  serialNumber: 'C-03-100001-26',
}

test('a certificate is worded by its component', () => {
  const texts = (certificate: Parameters<typeof certificateLines>[1]) =>
    certificateLines(defaultWording, certificate).map(({ text }) => text)
  expect(texts({ ...issued, kind: 'completion', component: 'CWTS' })).toEqual([
    'Certificate of Completion',
    'This certificate is awarded to',
    'JUAN PABLO DIZON PEÑA JR.',
    'in recognition of the successful completion of',
    'NATIONAL SERVICE TRAINING PROGRAM 1 and 2',
    'Civic Welfare Training Service (CWTS)',
    'for two academic semesters, Academic Year 2025-2026',
    'In compliance with R.A. 9163, the NSTP Act of 2001',
    'Given on the 30th of May 2026',
  ])
  expect(texts({ ...issued, kind: 'completion', component: 'ROTC' })).toContain(
    'Pvt JUAN PABLO DIZON PEÑA JR. C-03-100001-26',
  )
  expect(texts({ ...issued, kind: 'certification', component: 'ROTC' })).toContain(
    'This is to certify that Juan Pablo Dizon Peña Jr. completed NSTP (ROTC) in 2025-2026 with serial number C-03-100001-26.',
  )
})

test.each([
  ['2026-05-01', '1st'],
  ['2026-05-02', '2nd'],
  ['2026-05-03', '3rd'],
  ['2026-05-11', '11th'],
  ['2026-05-23', '23rd'],
])('%s is the %s', (issuedOn, day) => {
  const lines = certificateLines(defaultWording, {
    ...issued,
    issuedOn,
    kind: 'completion',
    component: 'LTS',
  })
  expect(lines.at(-1)?.text).toBe(`Given on the ${day} of May 2026`)
})

test('a name is filled in as it is, whatever it contains', () => {
  const name = fullName({ ...person, firstName: '{serial} $&' })
  const lines = certificateLines(defaultWording, {
    ...issued,
    firstName: '{serial} $&',
    kind: 'completion',
    component: 'CWTS',
  })
  expect(lines.find(({ isName }) => isName)?.text).toBe(name.toUpperCase())
})

test.each([
  [person, 'J*** D. P***'],
  [{ ...person, middleName: '' }, 'J*** P***'],
  [{ ...person, firstName: 'Ñino', lastName: 'dela Cruz' }, 'Ñ*** D. d***'],
])('a name is masked', (names, masked) => {
  expect(maskedName(names)).toBe(masked)
})

test('a code is read as people type it', () => {
  expect(readCode(' 7k3d-m9qx abcd')).toBe('7K3DM9QXABCD')
  expect(writtenCode('7K3DM9QXABCD')).toBe('7K3D-M9QX-ABCD')
})

test.each([
  ['Certificate\nof nobody', certificateMessages.nameless],
  ['{name} and {rank}', certificateMessages.placeholder('rank')],
  [' ', 'Please fill in the wording of the certificate.'],
])('the wording %j is refused', (completion, message) => {
  const { error } = wordingSchema.safeParse({ ...defaultWording, completion })
  expect(error?.issues.map((issue) => issue.message)).toEqual([message])
})

test('a wording keeps its lines', () => {
  const completion = 'To\r\n{name}\n\nGiven'
  expect(wordingSchema.parse({ ...defaultWording, completion }).completion).toBe('To\n{name}\n\nGiven')
})

test('each answer of a verification is in Filipino', () => {
  const words = filipino['/verify']
  for (const [text, translated] of [
    ['Certificate NSTP-2026-000123 is genuine.', 'Tunay ang sertipiko NSTP-2026-000123.'],
    [
      'J*** D. C***, CWTS, academic year 2025-2026, A School, Inc..',
      'J*** D. C***, CWTS, akademikong taon 2025-2026, A School, Inc..',
    ],
    ['Issued May 30, 2026.', 'Ibinigay noong May 30, 2026.'],
    [
      'The school’s records do not confirm this certificate. Please ask the NSTP office.',
      'Hindi pinatutunayan ng mga talaan ng paaralan ang sertipikong ito. Mangyaring magtanong sa tanggapan ng NSTP.',
    ],
    ['This certificate was revoked.', 'Binawi ang sertipikong ito.'],
    [
      'A School issued this certificate on May 30, 2026; its personal data was deleted.',
      'Ibinigay ng A School ang sertipikong ito noong May 30, 2026; binura na ang personal na datos nito.',
    ],
    [
      'We don’t know this code. Please check it and try again.',
      'Hindi namin kilala ang code na ito. Pakisuri at subukan muli.',
    ],
  ] as const) {
    expect(translate(text, words)).toBe(translated)
  }
})

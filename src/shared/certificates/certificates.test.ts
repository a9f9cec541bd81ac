import { expect, test } from 'vitest'
import {
  certificateLines,
  defaultWording,
  fullName,
  maskedName,
  readCode,
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

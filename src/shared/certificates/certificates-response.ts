import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { certificateKinds, certificateStates, hindrances } from './certificates.ts'

const names = {
  lastName: z.string(),
  firstName: z.string(),
  middleName: z.string(),
  extensionName: z.string(),
}

const certificate = {
  id: z.uuid(),
  number: z.string().openapi({ example: 'NSTP-2026-000123' }),
  kind: z.enum(certificateKinds),
  component: z.enum(nstpComponents),
  academicYear: z.string(),
  issuedOn: z.iso.date(),
}

const listed = z.object({
  ...certificate,
  studentId: z
    .uuid()
    .nullable()
    .describe('Null once the person’s data was deleted; the names are empty then.'),
  batchId: z.uuid().describe('The same for those that were issued together.'),
  ...names,
  serialNumber: z.string().describe('As on the paper; empty where it was to follow.'),
  state: z
    .enum(certificateStates)
    .describe(
      'differs: the record’s name or serial number is another one by now. unconfirmed: the marks and credits don’t say it.',
    ),
  prints: z.int(),
  revokeReason: z.string(),
})

export const certificatePageSchema = namedObject('CertificatePage', {
  items: z.array(listed).describe('The latest number first.'),
  total: z.int().describe('On all pages.'),
  page: z.int(),
  pageSize: z.int(),
})

export const certificatesOfStudentSchema = namedObject('CertificatesOfStudent', {
  items: z.array(listed),
  isGraduate: z
    .boolean()
    .describe('By marks or credits of both levels, with the year: without it no certificate is issued.'),
})

export const graduatesToCertifySchema = namedObject('GraduatesToCertify', {
  items: z
    .array(z.object({ id: z.uuid(), ...names, component: z.enum(nstpComponents), serialNumber: z.string() }))
    .describe('The next 500 without a valid certificate, by component and name.'),
  total: z.int().describe('Of those.'),
  withoutSerial: z.int().describe('Further ones, or among them, who have no serial number yet.'),
  shared: z.int().describe('Left out because another student has the same serial number.'),
  blocked: z.int().describe('Left out because the record is blocked.'),
})

export const issuedCertificatesSchema = namedObject('IssuedCertificates', {
  batchId: z.uuid(),
  count: z
    .number()
    .int()
    .describe('How many were issued. Who has a valid one, or may have none, is left out.'),
  leftOut: z
    .array(z.object({ why: z.enum(hindrances), count: z.int() }))
    .describe('Why others of them got none, without those who have a valid one.'),
})

export const printedCertificatesSchema = namedObject('PrintedCertificates', {
  items: z
    .array(
      z.object({
        ...certificate,
        ...names,
        serialNumber: z.string(),
        code: z.string().openapi({ example: '7K3DM9QXABCD' }),
        signatories: z.array(z.object({ name: z.string(), title: z.string() })),
      }),
    )
    .describe('In the order of their numbers.'),
  leftOut: z
    .number()
    .int()
    .describe(
      'Because the record is blocked, shares its serial number, or no longer says what the certificate says.',
    ),
  rest: z.int().describe('How many follow after the last one. Send its number as `after`.'),
  verifyAt: z.string().describe('The address that a code is added to.'),
})

export const reissuedCertificateSchema = namedObject('ReissuedCertificate', {
  id: z.uuid(),
  number: z.string(),
})

export const verifiedCertificateSchema = namedObject('VerifiedCertificate', {
  state: z
    .enum(['genuine', 'unconfirmed', 'revoked', 'erased', 'unknown'])
    .describe(
      'erased: issued by the school, which deleted the person’s data. unconfirmed: the records don’t say what it says.',
    ),
  number: z.string().describe('As all that follows, empty where it isn’t told.'),
  name: z.string().openapi({ example: 'J*** D. C***' }),
  component: z.string(),
  academicYear: z.string(),
  school: z.string(),
  issuedOn: z.string(),
})

export type CertificatePage = z.infer<typeof certificatePageSchema>
export type ListedCertificate = CertificatePage['items'][number]
export type CertificatesOfStudent = z.infer<typeof certificatesOfStudentSchema>
export type GraduatesToCertify = z.infer<typeof graduatesToCertifySchema>
export type IssuedCertificates = z.infer<typeof issuedCertificatesSchema>
export type PrintedCertificates = z.infer<typeof printedCertificatesSchema>
export type PrintedCertificate = PrintedCertificates['items'][number]
export type VerifiedCertificate = z.infer<typeof verifiedCertificateSchema>

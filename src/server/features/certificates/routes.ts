import { z } from '@hono/zod-openapi'
import { rateLimit, selectionMs } from '#server/http/limits.ts'
import { created, createRouter, done, formBody, ok, publicRoutes, staffRoutes } from '#server/http/router.ts'
import { keyHeader, knownFilters, oneOf, searchText, trueOrFalse, wholeNumber } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import {
  certificateLimits,
  certificateMessages,
  certificatePrintSchema,
  certificateRevokeSchema,
  certificateStates,
  newCertificatesSchema,
  reissueSchema,
} from '#shared/certificates/certificates.ts'
import {
  certificatePageSchema,
  certificatesOfStudentSchema,
  graduatesToCertifySchema,
  issuedCertificatesSchema,
  printedCertificatesSchema,
  reissuedCertificateSchema,
  verifiedCertificateSchema,
} from '#shared/certificates/certificates-response.ts'
import { heiNameOf } from '#shared/papers/office.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { isAcademicYear } from '#shared/students/students.ts'
import { createCertificates, createVerification } from './service.ts'

const tag = 'certificates'
const staff = staffRoutes(tag, 'papers')
const problems = ['conflict'] as const

const component = oneOf('component', ['all', ...nstpComponents]).default('all')
const academicYear = z
  .string(certificateMessages.academicYear)
  .refine((year) => isAcademicYear(year), certificateMessages.academicYear)
const anyYear = z
  .string(certificateMessages.academicYear)
  .refine((year) => year === 'all' || isAcademicYear(year), certificateMessages.academicYear)
  .default('all')

const ofList = {
  section: z
    .uuid('Please choose the section.')
    .nullable()
    .default(null)
    .describe('Of the students of a section.'),
  paper: z
    .uuid('Please choose the paper.')
    .nullable()
    .default(null)
    .describe('Of the graduates of a frozen paper.'),
}

const list = staff.get('/certificates', 'List certificates', {
  query: z.strictObject(
    {
      academicYear: anyYear,
      component,
      state: oneOf('state', ['all', ...certificateStates]).default('all'),
      ...ofList,
      search: searchText(100, 'Words of a number, name or serial number.'),
      page: wholeNumber('page', 10_000, 1),
    },
    knownFilters,
  ),
  responses: ok(certificatePageSchema, 'Of the components that the account sees.'),
})

const listGraduates = staff.get(
  '/certificates/graduates',
  'List the graduates of an academic year without a certificate',
  {
    query: z.strictObject({ academicYear, component, withoutSerial: trueOrFalse, ...ofList }, knownFilters),
    responses: ok(graduatesToCertifySchema, 'The next ones whose certificates can be issued.'),
  },
)

const listOfStudent = staff.get('/students/{id}/certificates', 'List the certificates of a student', {
  description: 'A student counts among the whole records of the hour, once with the record.',
  responses: ok(certificatesOfStudentSchema, 'The latest number first.'),
  problems: ['proof_needed'],
})

const issue = staff.post('/certificates', 'Issue certificates', {
  description:
    'Numbered without a gap in the order of components and names. Completion: of graduates of the academic year. ' +
    'Certification: of graduates of whichever year, with a serial number. Marks and credits decide who graduated; where ' +
    'nobody can get one, it is refused with the reason.',
  limits: { deadlineMs: selectionMs },
  headers: keyHeader('a repeated request issues nothing again.'),
  body: formBody(newCertificatesSchema, 'NewCertificates', 'Whose, and from which day.'),
  responses: ok(issuedCertificatesSchema, 'How many were issued.'),
  problems,
})

const print = staff.post('/certificates/prints', 'Read certificates for printing', {
  description:
    `At most ${certificateLimits.printedAtOnce} valid ones. Each print is counted. Those of more than 300 students an hour ` +
    'need a fresh sign-in, in one count with whole records.',
  body: formBody(certificatePrintSchema, 'CertificatePrint', 'Which ones.'),
  responses: ok(printedCertificatesSchema, 'What stands on them.'),
  problems: [...problems, 'proof_needed'],
})

const revoke = staff.post('/certificates/{id}/revoke', 'Revoke a certificate', {
  description: 'Verifying it says so from then on. It stays in the list, with the reason.',
  body: formBody(certificateRevokeSchema, 'RevokedCertificate', 'Why.'),
  responses: done('Revoked.'),
  problems,
})

const reissue = staff.post('/certificates/{id}/reissue', 'Issue a certificate anew', {
  description: 'With the name and serial number of today. The old one is revoked.',
  body: formBody(reissueSchema, 'ReissuedOn', 'From which day.'),
  responses: created(reissuedCertificateSchema, 'The new one.'),
  problems,
})

const verify = publicRoutes(tag).get('/verify/{code}', 'Verify a certificate by its code', {
  description: 'Tells as little of the person as shows that the paper is genuine.',
  params: z.object({ code: z.string().max(100) }),
  responses: ok(verifiedCertificateSchema, 'What is known of it.'),
  problems: ['invalid', 'too_many_requests'],
})

/** The limit of each network, so that a code can't be found by trying. */
const verifyLimit = { points: 30, duration: 600 }

export function createCertificateRoutes(context: AppContext, { settings }: { settings: () => Settings }) {
  const { env } = context
  const ownAddress = env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin
  const certificates = createCertificates(context, {
    publicAddress: () => ownAddress ?? settings().publicAddress,
    signatories: () =>
      settings()
        .signatories.filter(({ signs }) => signs !== 'papers')
        .slice(0, certificateLimits.signatories)
        .map(({ name, title }) => ({ name, title })),
  })
  const verification = createVerification(
    context.database,
    () => heiNameOf(settings()) || settings().systemName,
  )
  const limit = rateLimit(verifyLimit)

  const routes = createRouter()
    .answer(list, ({ query, actor }) => certificates.list(query, actor))
    .answer(listGraduates, async ({ query, actor }) => {
      const withoutSerial = query.withoutSerial === 'true'
      return await certificates.graduates({ ...query, withoutSerial }, actor)
    })
    .answer(listOfStudent, async ({ id, actor, admit }) => {
      await admit([id])
      return await certificates.ofStudent(id, actor)
    })
    .answer(issue, ({ body, key, actor }) => certificates.issue(body, key, actor))
    .answer(print, ({ body, actor, admit }) => certificates.print(body, { actor, admit }))
    .answer(revoke, ({ id, body, actor }) => certificates.revoke(id, body.reason, actor))
    .answer(reissue, ({ id, body, actor }) => certificates.reissue(id, body.issuedOn, actor))
    .answer(verify, async ({ c, params }) => {
      await limit.take(c)
      return c.json(await verification(params.code), 200, { 'Cache-Control': 'no-store' })
    })
  return { routes }
}

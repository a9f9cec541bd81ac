import { timingSafeEqual } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { SettingsService } from '#server/features/settings/service.ts'
import { createChallenges } from '#server/http/challenges.ts'
import type { AppEnv } from '#server/http/context.ts'
import { rateLimit } from '#server/http/limits.ts'
import { created, createRouter, jsonBody, ok, publicRoutes, staffRoutes } from '#server/http/router.ts'
import { documented, keyHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { networkToKeep } from '#server/lib/network.ts'
import { readFieldAliases } from '#shared/field-rules.ts'
import { namedObject } from '#shared/named-object.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { enlistmentState } from '#shared/registration/enlistment-state.ts'
import {
  createRegistrationSchema,
  type RegistrationContext,
  wrongDayCode,
} from '#shared/registration/registration.ts'
import { currentAcademicYear, isOfficeNamed, type Settings } from '#shared/settings/settings.ts'
import { languageOf } from '#shared/site/language.ts'
import {
  bloodTypes,
  civilStatuses,
  registrationComponents,
  sexes,
  yearLevelLabels,
} from '#shared/students/student-choices.ts'
import {
  fieldAliases,
  fieldDefinition,
  type StudentField,
  studentFieldNames,
} from '#shared/students/student-fields.ts'
import { createPostalCodesService, loadPostalCodes } from './postal-codes.ts'
import { createReceiptCookies } from './receipt-cookie.ts'
import {
  createDayCode,
  createQuotaUse,
  createRegistrationService,
  type RegistrationServiceOptions,
} from './service.ts'

const answer = namedObject('RegistrationReceipt', {
  id: z.uuid(),
  reference: z.string().openapi({ description: "The student's reference code.", example: 'NSTP-7K3D-M9QX' }),
  registrationDate: z.iso.datetime(),
  emailSent: z.boolean().describe('Whether a confirmation e-mail was accepted.'),
  emailError: z.string().nullable(),
})

const receiptBody = namedObject('Receipt', {
  reference: z.string(),
  registrationDate: z.iso.datetime(),
  nstpComponent: z.string(),
  emailSent: z.boolean(),
  emailError: z.string().nullish(),
  expires: z.iso.datetime().describe('Until when this browser can read it.'),
})

const offerBody = namedObject('RegistrationOffer', {
  today: z.iso.date().describe("Today in the program's time zone; ages are counted on it."),
  courses: z.array(z.string()),
  programs: z
    .array(z.object({ course: z.string(), name: z.string() }))
    .describe('Degree programs of the courses.'),
  academicYears: z.array(z.string()),
  currentAcademicYear: z.string().describe('The default of the form; an empty string for none.'),
  closed: z.string().nullable().describe('Why registration is closed; null while it is open.'),
  asksCode: z.boolean().describe('Whether the code of the day is required.'),
  isOfficeNamed: z
    .boolean()
    .describe('Whether the portal names its school and a data protection contact; else the consent says so.'),
  full: z
    .array(z.object({ component: z.string(), academicYear: z.string() }))
    .describe('Components that have no place left in an academic year.'),
  changesAt: z.iso.datetime().nullable().describe('When it opens or closes next by the settings.'),
})

const readOffer = publicRoutes('registration').get('/registrations/offer', 'Options for a registration', {
  responses: ok(offerBody, 'Courses and academic years in display order.'),
})

const readDayCode = staffRoutes('registration', 'code').get(
  '/registrations/code',
  'Read the code of the day',
  {
    description:
      "Required of enlistments while `onlyWithCode` is set. It changes at midnight of the program's time.",
    responses: ok(z.object({ code: z.string().openapi({ example: '7K3DM9' }) }), "Today's code."),
  },
)

const receipt = publicRoutes('registration').get(
  '/registrations/receipt',
  "Read this browser's registration of the last hour",
  { responses: ok(receiptBody, 'The data of the confirmation page.'), problems: ['not_found'] },
)

export const registrationLimits = {
  // The first day of enlistment: 5,000 in ten minutes.
  valid: { points: 6000, duration: 600 },
  // Forms with mistakes: counted apart, because valid ones can't be attributed to a sender.
  refused: { points: 600, duration: 60 },
}

// What is empty or unreadable comes from no form, and takes nothing from those who made a mistake.
async function isFilledIn(c: Context<AppEnv>): Promise<boolean> {
  const body: unknown = await c.req.json().catch(() => null)
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return fields.some(
    ([name, value]) =>
      name !== 'consent' && value !== null && (typeof value !== 'string' || value.trim() !== ''),
  )
}

const choices: Partial<Record<StudentField, readonly string[]>> = {
  sex: sexes,
  civilStatus: civilStatuses,
  bloodType: ['', ...bloodTypes],
  yearLevel: yearLevelLabels,
  nstpComponent: registrationComponents,
}

const formats: Partial<Record<StudentField, string>> = { dateOfBirth: 'date', email: 'email' }

// The rules are functions, which OpenAPI can't show.
function describeRegistrationBody() {
  const aliases = Object.entries(fieldAliases)
  const required: string[] = studentFieldNames.filter((field) => fieldDefinition(field).required)
  const fields = studentFieldNames.map((field) => [field, describeField(field)])
  return {
    type: 'object' as const,
    required: [...required, 'consent'],
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields),
      ...Object.fromEntries(aliases.map(([alias, field]) => [alias, describeAlias(field)])),
      consent: { type: 'boolean' as const, const: true, description: 'Agreement to the privacy notice.' },
      dayCode: {
        type: 'string' as const,
        description: "The office's code of the day; required while the offer has asksCode.",
      },
      guardianConsent: {
        type: 'boolean' as const,
        description:
          'Agreement of the named guardian; required, with name, relationship and contact number, of students below 18.',
      },
    },
  }
}

function describeAlias(field: StudentField) {
  return { ...describeField(field), description: `Read as ${field}, which may then be absent.` }
}

function describeField(field: StudentField) {
  const { label, max, required } = fieldDefinition(field)
  const oneOf = choices[field]
  const format = formats[field]
  return {
    type: 'string' as const,
    description: label,
    ...(oneOf ? { enum: [...oneOf] } : { maxLength: max }),
    ...(format ? { format } : {}),
    ...(required ? {} : { default: '' }),
  }
}

const tooShort = 'Please type at least 2 characters of the municipality or city.'

const postalCodeSchema = namedObject('Place', {
  municipality: z.string().openapi({ example: 'Bacoor' }),
  province: z.string().openapi({ example: 'Cavite' }),
  zipCode: z.string().openapi({ example: '4102' }),
})

const search = publicRoutes('registration').get(
  '/places',
  'Search municipalities and cities with their ZIP codes',
  {
    query: z.object({
      search: z
        .string({ error: tooShort })
        .trim()
        .min(2, tooShort)
        .max(100, 'Please type no more than 100 characters of the municipality or city.'),
    }),
    responses: ok(
      z.object({ items: z.array(postalCodeSchema) }),
      'Up to ten; matches at the beginning first.',
    ),
  },
)

/** What the form offers now, by the settings. */
function createOffer(
  { clock, timeZone }: AppContext,
  settings: () => Settings,
  readFull: () => NonNullable<RegistrationContext['full']>,
) {
  return (): RegistrationContext => {
    const current = settings()
    const { courses, programs, academicYears } = current
    const now = clock()
    const today = calendarDateOf(now, timeZone)
    const { isOpen, sentence, changesAt } = enlistmentState(current.enlistment, now, timeZone)
    return {
      today,
      courses,
      programs,
      academicYears,
      currentAcademicYear: currentAcademicYear(current, today),
      asksCode: current.onlyWithCode,
      isOfficeNamed: isOfficeNamed(current),
      closed: isOpen ? null : sentence,
      changesAt: changesAt?.toISOString() ?? null,
      full: readFull(),
    }
  }
}

interface RegistrationNeeds {
  settings: SettingsService
  welcomes: RegistrationServiceOptions['welcomes']
}

export function createRegistration(context: AppContext, { settings, welcomes }: RegistrationNeeds) {
  const { current } = settings
  const quotaUse = createQuotaUse(context, settings)
  const offer = createOffer(context, current, () => quotaUse.current().full)
  const service = createRegistrationService({
    ...context,
    closed: () => offer().closed,
    quotas: () => current().quotas,
    welcomes,
  })
  const postalCodes = createPostalCodesService({ load: loadPostalCodes })
  const receipts = createReceiptCookies(context)
  const schema = createRegistrationSchema(offer)
  const body = documented(schema, 'Registration', readFieldAliases).openapi(describeRegistrationBody())
  const register = publicRoutes('registration').post('/registrations', 'Enlist a student', {
    headers: keyHeader(
      'a retry with the same key gets the first answer and creates no second record. Use a random one, such as a UUID.',
      16,
    ).extend({
      'registration-challenge': z.string().optional().openapi({
        description:
          'After challenge_needed: its challenge with a member `solution` after three seconds, or alone after Retry-After. For its Idempotency-Key only, within half an hour.',
      }),
    }),
    body: jsonBody(body, 'The enlistment form.'),
    responses: created(answer, 'Registered, now or by an earlier request with the same key.'),
    problems: ['challenge_needed', 'too_many_requests', 'unavailable'],
  })

  const challenges = createChallenges(context)
  const valid = rateLimit(registrationLimits.valid)
  const refused = rateLimit(registrationLimits.refused)
  const countRefused = async (c: Context<AppEnv>) => {
    if (await isFilledIn(c)) await refused.take(c)
  }
  const dayCode = createDayCode(context)
  const isDayCode = (typed = '') =>
    timingSafeEqual(sha256(typed.replace(/\s/g, '').toUpperCase()), sha256(dayCode()))
  const routes = createRouter(countRefused)
    .answer(register, async ({ c, body: registration, headers }) => {
      if (offer().asksCode && !isDayCode(registration.dayCode)) {
        await refused.take(c)
        throw invalid('dayCode', wrongDayCode)
      }
      // The challenge comes before the limit: what a flood sends without solving takes nothing from those who solve.
      const key = await challenges.admit(c, headers['idempotency-key'], headers['registration-challenge'])
      await valid.take(c)
      const language = languageOf(c.req.header('Cookie'), c.req.header('Accept-Language'))
      const network = networkToKeep(c.get('clientAddress'))
      const receipt = receipts.open(c.req.header('Cookie'))?.reference
      const result = await service
        .register(registration, key, { language, network, receipt })
        .catch(async (error: unknown) => {
          // The sender (conflict) or the settings (closed) caused the refusal; an error of the database has a cause.
          const isDecided = error instanceof AppError && error.cause === undefined
          if (!isDecided) await valid.refund(c)
          throw error
        })
      const { id: _id, ...received } = result
      const { nstpComponent } = registration
      c.header('Set-Cookie', receipts.seal({ ...received, nstpComponent }))
      c.header('Cache-Control', 'no-store')
      return c.json(result, 201)
    })
    .answer(readOffer, ({ c }) => {
      const { courses, programs, academicYears, full = [], ...rest } = offer()
      const lists = { courses: [...courses], programs: [...programs], academicYears: [...academicYears] }
      const body = { ...rest, ...lists, full: [...full] }
      return c.json(body, 200, { 'Cache-Control': 'no-cache' })
    })
    .answer(readDayCode, ({ c }) => c.json({ code: dayCode() }, 200, { 'Cache-Control': 'no-store' }))
    .answer(receipt, ({ c }) => {
      const stored = receipts.open(c.req.header('Cookie'))
      if (!stored) throw new AppError('not_found', 'This browser has no registration from the last hour.')
      return c.json(stored, 200, { 'Cache-Control': 'no-store' })
    })
    .answer(search, async ({ c, query }) => {
      const items = await postalCodes.search(query.search)
      return c.json({ items }, 200, { 'Cache-Control': 'public, max-age=86400' })
    })
  return { routes, offer, quotaUse }
}

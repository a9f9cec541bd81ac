import { type Context, Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { RegistrationDesk } from '#shared/registration/registration.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import { siteTextsOf } from '#shared/settings/site-texts.ts'
import { siteOf } from '#shared/site/site.ts'
import { createApi } from './api.ts'
import { createFeedRoutes } from './features/announcements/feed-routes.ts'
import { createAudit } from './features/audit/recorder.ts'
import { readToken } from './features/auth/session-cookies.ts'
import { createEmailServiceRoutes, createWelcomeMailRoutes } from './features/mail/account-routes.ts'
import { createDiscoveryRoutes } from './features/site/routes.ts'
import { accessRefusals } from './http/access-refusals.ts'
import { shownToken } from './http/bearer-token.ts'
import { bodyLimits, limitBody } from './http/body-limits.ts'
import { isCacheable } from './http/cache/cached-answer.ts'
import { createWarmAnswers } from './http/cache/response-cache.ts'
import { clientAddress } from './http/client-address.ts'
import { compressExceptChanges } from './http/compress.ts'
import type { AppEnv } from './http/context.ts'
import { deadline } from './http/deadline.ts'
import { describeApi } from './http/openapi.ts'
import { handleError } from './http/problem.ts'
import { limitRequests, unlimited } from './http/rate-limits.ts'
import { requestLog } from './http/request-log.ts'
import { sameOrigin } from './http/same-origin.ts'
import { securityHeaders } from './http/security-headers.ts'
import { session } from './http/session.ts'
import { createStaticFiles } from './http/static-files.ts'
import { AppError } from './lib/errors.ts'
import { productVersion } from './lib/version.ts'
import type { Pages } from './pages.ts'
import { createAccountServices } from './services/account.ts'
import { createContentServices } from './services/content.ts'
import type { Foundation } from './services/foundation.ts'
import {
  createAnnouncementMailServices,
  createBulkMailServices,
  createMailAccountServices,
  createMailServices,
  createReturnedMailServices,
  createSingleMailServices,
} from './services/mail.ts'
import { createOfficeServices } from './services/office.ts'
import { createRecordServices } from './services/records.ts'

interface AppOptions extends Omit<Foundation, 'audit'> {
  pages?: { render: Pages; files: string | null }
  keepsAnswers?: boolean
}

export function createApp(options: AppOptions) {
  const { env, database, notices, log, clock, closing, pages } = options
  const isHttps = env.PUBLIC_URL?.startsWith('https://') ?? false
  const trustProxy = env.TRUST_PROXY === 'on'

  const foundation = { ...options, audit: createAudit({ clock }) }
  const office = createOfficeServices(foundation)
  const settings = office.settings.current
  const account = createAccountServices(foundation, settings)
  const mailAccount = createMailAccountServices(foundation, { problem: () => mail.problem() })
  const mail = createMailServices(foundation, {
    settings,
    files: office.files,
    account: mailAccount.account.current,
  })
  const returnedMail = createReturnedMailServices(foundation, mailAccount.account)
  const content = createContentServices(foundation, {
    files: office.files,
    canMail: mail.mailer.isConfigured,
  })
  const records = createRecordServices(foundation, {
    settings,
    desk: registrationDesk,
    countAnnouncements: content.announcements.countActive,
    welcomes: mail.welcomes,
  })
  const singleMail = createSingleMailServices(foundation, {
    mailer: mail.mailer,
    account: mailAccount.account.current,
    withAddresses: records.mailing.withAddresses,
  })
  const bulkMail = createBulkMailServices(foundation, {
    mailer: mail.mailer,
    finishOf: mail.forecasts.ofBatch,
    addressed: records.mailing.addressed,
    withAddresses: records.mailing.withAddresses,
    preview: mail.renderer.preview,
    retentionMonths: () => settings().auditRetentionMonths,
    optedOutOf: mail.optOuts.optedOutAmong,
  })
  const announcementMail = createAnnouncementMailServices(foundation, {
    mailer: mail.mailer,
    writeBatch: bulkMail.writeAnnouncementBatch,
  })
  const api = createApi({
    health: { checkDatabase: database.check },
    events: { notices, closing },
    ...account.parts,
    ...records.parts,
    ...office.parts,
    ...content.parts,
    ...mailAccount.parts,
    ...mail.parts,
    ...singleMail.parts,
    ...bulkMail.parts,
    ...returnedMail.parts,
    ...announcementMail.parts,
  })
  const emailService = createEmailServiceRoutes(mailAccount.emailService).route(
    '/',
    createWelcomeMailRoutes(mail),
  )
  describeApi(api, { version: productVersion, beside: [{ path: '/emailService', routes: emailService }] })

  const warm = options.keepsAnswers
    ? createWarmAnswers({
        ...options,
        timeZone: env.TZ_PROGRAM,
        onSettings: office.settings.onLearn,
        nextPublication: content.publications.nextChangeAt,
        publicUrl: env.PUBLIC_URL,
      })
    : undefined

  const app = new Hono<AppEnv>()
  app.onError(handleError)
  app.use(requestId(), clientAddress({ trustProxy }), requestLog(log))
  if (warm) app.use(warm.keep)
  app.use(securityHeaders({ isHttps }))
  if (pages?.files) app.route('/', createStaticFiles(pages.files))
  // Before anything is counted: another site must not use up what a visitor's network has.
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', sameOrigin({ publicUrl: env.PUBLIC_URL, trustProxy }))
  app.use(env.RATE_LIMITS === 'on' ? limitRequests({ signedInTokenOf }) : unlimited)
  app.use(compressExceptChanges())
  app.use(
    session({
      readToken: (cookies) => readToken('session', cookies, isHttps),
      readAdmin: account.auth.readAdmin,
    }),
    shownToken({ findToken: account.tokens.find }),
    accessRefusals(account.refusals.note),
  )
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', limitBody(bodyLimits))
  app.use(deadline())
  app.route('/api', api)
  app.route('/emailService', emailService)
  app.on('ALL', ['/api/*', '/emailService/*'], () => {
    throw new AppError('not_found')
  })
  const site = () => siteOf(settings())
  const { announcements } = content
  app.route('/', createDiscoveryRoutes({ announcements, site, originOf }))
  app.route('/', createFeedRoutes({ announcements, site, originOf }))
  if (pages) {
    app.all('*', (c) =>
      pages.render(c, {
        fetchApi: fetchInProcess(c),
        site: site(),
        texts: () => siteTextsOf(settings()),
        origin: originOf(c.req.url),
        desk: registrationDesk,
      }),
    )
  }
  return {
    fetch: app.fetch,
    answerWarm: warm?.answer,
    administrators: account.administrators,
    async load() {
      await Promise.all([
        office.settings.load(),
        mailAccount.account.load(),
        records.counts.start(),
        content.publications.start(),
      ])
      // By the account, and by the quotas of the settings.
      await mail.start()
      returnedMail.start()
      announcementMail.start()
    },
    async close() {
      warm?.close()
      await Promise.all([
        account.refusals.close(),
        records.counts.close(),
        mail.close(),
        returnedMail.close(),
        announcementMail.close(),
      ])
    },
    sweep: () =>
      Promise.all([
        account.auth.forgetEnded(),
        office.trail.expire(),
        records.imports.expire(),
        records.imports.resume(),
        records.counts.sweep(),
        office.files.sweep(),
        bulkMail.expire(),
      ]),
  }

  /** The public origin: PUBLIC_URL, else the origin of the request. */
  function originOf(requestUrl: string): string {
    return new URL(env.PUBLIC_URL ?? requestUrl).origin
  }

  /** Checks the token's signature only: a flood of forged cookies costs no query. */
  function signedInTokenOf(cookies: string | undefined): string | undefined {
    const shown = (['device', 'session'] as const).map((kind) => readToken(kind, cookies, isHttps))
    return shown.find((token) => token !== undefined && account.isOwnToken(token))
  }

  function registrationDesk(): RegistrationDesk {
    const known = settings()
    const { courses, academicYears } = known
    const today = calendarDateOf(clock(), env.TZ_PROGRAM)
    return {
      today,
      courses,
      academicYears,
      currentAcademicYear: currentAcademicYear(known, today),
      closed: siteOf(known).maintenance,
    }
  }

  /** Pages call the API in the same process, through the same middleware as the network. */
  function fetchInProcess(c: Context<AppEnv>): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init)
      request.headers.set('X-Request-Id', c.var.requestId)
      const answer = await app.fetch(request, { ...c.env, isInProcess: true })
      // A page stands without the part that failed, or with one of its visitor's own, but only for the one who asked.
      if (c.var.forEverybody && !isCacheable(answer)) c.var.forEverybody.isSpoilt = true
      return answer
    }
  }
}

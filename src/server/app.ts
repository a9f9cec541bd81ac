import { type Context, Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { RegistrationContext } from '#shared/registration/registration.ts'
import { currentAcademicYear } from '#shared/settings/settings.ts'
import { siteTextsOf } from '#shared/settings/site-texts.ts'
import { siteOf } from '#shared/site/site.ts'
import { createApi } from './api.ts'
import { createFeedRoutes } from './features/announcements/feed-routes.ts'
import { createAudit } from './features/audit/recorder.ts'
import { readToken } from './features/auth/session-cookies.ts'
import { createEmailServiceRoutes, createWelcomeMailRoutes } from './features/mail/account-routes.ts'
import { createDiscoveryRoutes } from './features/site/routes.ts'
import { identify } from './http/auth.ts'
import { isCacheable } from './http/cache/cached-response.ts'
import { createResponseCache } from './http/cache/response-cache.ts'
import type { AppEnv } from './http/context.ts'
import { defaultLimits, limitRequests } from './http/limits.ts'
import {
  clientAddress,
  compressExceptChanges,
  requestLog,
  sameOrigin,
  securityHeaders,
} from './http/middleware.ts'
import { describeApi } from './http/openapi.ts'
import { handleError } from './http/problem.ts'
import { createStaticFiles } from './http/static-files.ts'
import { AppError } from './lib/errors.ts'
import { productVersion } from './lib/version.ts'
import type { Pages } from './pages.ts'
import { createAccountServices } from './services/account.ts'
import { createContentServices } from './services/content.ts'
import type { AppContext } from './services/context.ts'
import {
  createAnnouncementMailServices,
  createBulkMailServices,
  createMailAccountServices,
  createMailServices,
  createReturnedMailServices,
  createSingleMailServices,
} from './services/mail.ts'
import { createRecordServices } from './services/records.ts'
import { createSettingsServices } from './services/settings.ts'

interface AppOptions extends Omit<AppContext, 'audit'> {
  pages?: { render: Pages; files: string | null }
  cachesResponses?: boolean
}

export function createApp(options: AppOptions) {
  const { env, database, notices, log, clock, closing, pages } = options
  const isHttps = env.PUBLIC_URL?.startsWith('https://') ?? false
  const trustProxy = env.TRUST_PROXY === 'on'

  const context = { ...options, audit: createAudit({ clock }) }
  const settingsServices = createSettingsServices(context)
  const settings = settingsServices.settings.current
  const account = createAccountServices(context, settings)
  const mailAccount = createMailAccountServices(context, { problem: () => mail.problem() })
  const mail = createMailServices(context, {
    settings,
    files: settingsServices.files,
    account: mailAccount.account,
  })
  const returnedMail = createReturnedMailServices(context, mailAccount.account)
  const content = createContentServices(context, {
    files: settingsServices.files,
    canMail: mail.mailer.isConfigured,
  })
  const records = createRecordServices(context, {
    settings,
    registrationContext,
    countAnnouncements: content.announcements.countActive,
    welcomes: mail.welcomes,
  })
  const singleMail = createSingleMailServices(context, {
    mailer: mail.mailer,
    account: mailAccount.account.current,
    withAddresses: records.mailing.withAddresses,
  })
  const bulkMail = createBulkMailServices(context, {
    mailer: mail.mailer,
    finishOf: mail.forecasts.ofBatch,
    addressed: records.mailing.addressed,
    withAddresses: records.mailing.withAddresses,
    preview: mail.renderer.preview,
    retentionMonths: () => settings().auditRetentionMonths,
    optedOutOf: mail.optOuts.optedOutAmong,
  })
  const announcementMail = createAnnouncementMailServices(context, {
    mailer: mail.mailer,
    audiences: bulkMail.audiences,
  })
  const api = createApi({
    health: { checkDatabase: database.check },
    events: { notices, closing },
    ...account.parts,
    ...records.parts,
    ...settingsServices.parts,
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

  const cache = options.cachesResponses
    ? createResponseCache({
        ...options,
        timeZone: env.TZ_PROGRAM,
        onSettings: settingsServices.settings.onChange,
        nextPublication: content.publications.nextChangeAt,
        publicUrl: env.PUBLIC_URL,
      })
    : undefined

  const app = new Hono<AppEnv>()
  app.onError(handleError)
  app.use(requestId(), clientAddress({ trustProxy }), requestLog(log))
  if (cache) app.use(cache.middleware)
  app.use(securityHeaders({ isHttps }))
  if (pages?.files) app.route('/', createStaticFiles(pages.files))
  // Before any limit: a cross-site request must not use up the limit of the visitor's network.
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', sameOrigin({ publicUrl: env.PUBLIC_URL, trustProxy }))
  if (env.RATE_LIMITS === 'on') app.use(limitRequests({ signedInTokenOf }))
  app.use(compressExceptChanges())
  app.use(
    identify({
      readToken: (cookies) => readToken('session', cookies, isHttps),
      readAdmin: account.auth.readAdmin,
      findToken: account.tokens.find,
      noteRefusal: account.refusals.note,
    }),
    defaultLimits,
  )
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
        registration: registrationContext,
      }),
    )
  }
  return {
    fetch: app.fetch,
    answerFromCache: cache?.answer,
    administrators: account.administrators,
    async load() {
      await Promise.all([
        settingsServices.settings.load(),
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
      cache?.close()
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
        account.auth.deleteExpired(),
        settingsServices.trail.expire(),
        records.imports.expire(),
        records.imports.resume(),
        records.counts.sweep(),
        settingsServices.files.sweep(),
        bulkMail.expire(),
      ]),
  }

  /** The public origin: PUBLIC_URL, else the origin of the request. */
  function originOf(requestUrl: string): string {
    return new URL(env.PUBLIC_URL ?? requestUrl).origin
  }

  /** Checks the token's signature only: a flood of forged cookies costs no query. */
  function signedInTokenOf(cookies: string | undefined): string | undefined {
    const tokens = (['device', 'session'] as const).map((kind) => readToken(kind, cookies, isHttps))
    return tokens.find((token) => token !== undefined && account.isOwnToken(token))
  }

  function registrationContext(): RegistrationContext {
    const current = settings()
    const { courses, academicYears } = current
    const today = calendarDateOf(clock(), env.TZ_PROGRAM)
    return {
      today,
      courses,
      academicYears,
      currentAcademicYear: currentAcademicYear(current, today),
      closed: siteOf(current).maintenance,
    }
  }

  /** Pages call the API in the same process, through the same middleware as the network. */
  function fetchInProcess(c: Context<AppEnv>): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init)
      request.headers.set('X-Request-Id', c.var.requestId)
      const answer = await app.fetch(request, { ...c.env, isInProcess: true })
      // A page with a failed part, or with personal data, is valid for its own request only.
      if (c.var.cacheable && !isCacheable(answer)) c.var.cacheable.isPersonal = true
      return answer
    }
  }
}

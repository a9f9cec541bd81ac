import { type Context, Hono } from 'hono'
import { datesAhead, siteTextsOf } from '#shared/settings/site-texts.ts'
import { cachedPages } from '#shared/site/public-pages.ts'
import { siteOf } from '#shared/site/site.ts'
import { publicTopics } from '#shared/topics.ts'
import { createFeatures } from './api.ts'
import { createCalendarRoutes } from './features/announcements/calendar-routes.ts'
import { createFeedRoutes } from './features/announcements/feed-routes.ts'
import { createAudit } from './features/audit/repository.ts'
import { mayNameSession } from './features/auth/session-cookies.ts'
import { mayNameStudent } from './features/my/session-service.ts'
import { mayShowReceipt } from './features/registration/receipt-cookie.ts'
import { createDiscoveryRoutes } from './features/site/routes.ts'
import { identify } from './http/auth.ts'
import { isCacheable } from './http/cache/cached-response.ts'
import { cachedRoutesOf } from './http/cache/cached-routes.ts'
import { createResponseCache } from './http/cache/response-cache.ts'
import type { AppEnv } from './http/context.ts'
import { defaultLimits, limitRequests } from './http/limits.ts'
import { createMetrics } from './http/metrics.ts'
import {
  clientAddress,
  compressExceptChanges,
  requestId,
  requestLog,
  sameOrigin,
  securityHeaders,
  uncacheSignedIn,
} from './http/middleware.ts'
import { createPageQueue } from './http/page-queue.ts'
import { handleError } from './http/problem.ts'
import { refuseMethod } from './http/router.ts'
import { createStaticFiles } from './http/static-files.ts'
import type { AppContext } from './lib/app-context.ts'
import { networkList } from './lib/network.ts'
import type { Pages } from './pages.ts'

interface AppOptions extends Omit<AppContext, 'audit' | 'db' | 'publish' | 'timeZone' | 'isHttps' | 'proxy'> {
  pages?: { render: Pages; files: string | null }
  cachesResponses?: boolean
}

// True if the cookies may name a session of the office or of a student.
const mayName = (cookies: string | undefined) => mayNameSession(cookies) || mayNameStudent(cookies)

const pageRoutes = Object.entries(cachedPages).map(([path, parameters]) => ({
  path,
  parameters,
  topics: publicTopics,
  isPage: true,
}))

export function createApp(options: AppOptions) {
  const { env, database, notices, log, clock, pages } = options
  const context: AppContext = {
    ...options,
    db: database.db,
    publish: notices.publish,
    timeZone: env.TZ_PROGRAM,
    isHttps: env.PUBLIC_URL?.startsWith('https://') ?? false,
    audit: createAudit({ clock }),
    proxy: { isTrusted: env.TRUST_PROXY === 'on', isIgnored: false },
  }
  const features = createFeatures(context)
  const { auth, settings } = features
  const announcements = features.announcements.service
  const site = () => siteOf(settings.current(), context.clock(), context.timeZone)

  const cache = options.cachesResponses
    ? createResponseCache({
        ...context,
        onSettings(listener) {
          settings.onChange(listener)
          features.onFull(listener)
        },
        nextChanges: () => [
          features.announcements.publications.nextChangeAt(),
          features.registrationContext().changesAt,
        ],
        publicUrl: env.PUBLIC_URL,
        routes: () => [...pageRoutes, ...cachedRoutesOf(app)],
        isPersonal: (cookies, address) => mayName(cookies) || mayShowReceipt(cookies, address),
      })
    : undefined

  const app = new Hono<AppEnv>()
  app.onError(handleError)
  app.use(requestId, clientAddress(context), requestLog(log), createMetrics(context))
  if (cache) app.use(cache.middleware)
  app.use(securityHeaders(context))
  if (pages?.files) app.route('/', createStaticFiles(pages.files))
  // The origin is checked before any limit: a cross-site request must not use up the limit of the visitor's network.
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', sameOrigin({ ...context, mayNameSession: mayName }))
  app.use(uncacheSignedIn(mayName))
  if (env.RATE_LIMITS === 'on') app.use(limitRequests(auth.knownTokenOf, networkList(env.SCHOOL_NETWORKS)))
  app.use(compressExceptChanges(), identify({ ...auth, ...features }), defaultLimits)
  app.route('/api', features.api)
  app.route('/emailService', features.emailService)
  app.all('/api/*', refuseMethod(features.api, '/api'))
  app.all('/emailService/*', refuseMethod(features.emailService, '/emailService'))
  app.route('/', createDiscoveryRoutes({ announcements, site, originOf }))
  app.route('/', createFeedRoutes({ announcements, site, originOf }))
  app.route('/', createCalendarRoutes({ announcements, originOf }))
  if (pages) {
    const inTurn = createPageQueue()
    app.all('*', (c) =>
      inTurn(c, () =>
        pages.render(c, {
          fetchApi: fetchInProcess(c),
          site: site(),
          texts: () => siteTextsOf(settings.current()),
          datesAhead: () => datesAhead(settings.current(), context.clock(), context.timeZone),
          origin: originOf(c.req.url),
          registration: features.registrationContext,
        }),
      ),
    )
  }
  return {
    fetch: app.fetch,
    respondFromCache: cache?.respond,
    cachedTopicsOf: cache?.topicsOf,
    administrators: auth.administrators,
    load: features.load,
    sweep: features.sweep,
    async close() {
      cache?.close()
      await features.close()
    },
  }

  /** The public origin: PUBLIC_URL, else the origin of the request. */
  function originOf(requestUrl: string): string {
    return new URL(env.PUBLIC_URL ?? requestUrl).origin
  }

  /** Pages call the API in the same process, through the same middleware as the network. */
  function fetchInProcess(c: Context<AppEnv>): typeof fetch {
    return async (input, init) => {
      const request = new Request(input, init)
      request.headers.set('X-Request-Id', c.var.requestId)
      const response = await app.fetch(request, { ...c.env, isInProcess: true })
      // A page with a failed part, or with personal data, is valid for its own request only.
      if (c.var.cacheable && !isCacheable(response)) c.var.cacheable.isPersonal = true
      return response
    }
  }
}

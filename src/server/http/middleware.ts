import { randomUUID } from 'node:crypto'
import { compress } from 'hono/compress'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import type { Logger } from 'pino'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { bearerOf } from './auth.ts'
import type { AppEnv } from './context.ts'

// Runs at each request: whether its cookies may name a session.
type MayNameSession = (cookies: string | undefined) => boolean

/**
 * Finds the caller's network address. X-Forwarded-For counts only behind a configured proxy: any client can send it.
 * The last entry is the one that our proxy wrote.
 */
export function clientAddress({ proxy, log }: Pick<AppContext, 'proxy' | 'log'>) {
  return createMiddleware<AppEnv>((c, next) => {
    const header = c.req.header('X-Forwarded-For')
    if (header !== undefined && !proxy.isTrusted && !proxy.isIgnored) {
      proxy.isIgnored = true
      log.warn(
        'X-Forwarded-For is ignored because TRUST_PROXY is off: behind a proxy all visitors share one rate limit',
      )
    }
    const forwarded = proxy.isTrusted ? header?.split(',').at(-1)?.trim() : undefined
    c.set('clientAddress', forwarded || c.env?.incoming?.socket.remoteAddress || 'unknown')
    return next()
  })
}

/** The id of a request is ours: a caller's would stand in the audit trail. A page's calls of the API have the page's. */
export const requestId = createMiddleware<AppEnv>((c, next) => {
  const id = (c.env?.isInProcess && c.req.header('X-Request-Id')) || randomUUID()
  c.set('requestId', id)
  c.header('X-Request-Id', id)
  return next()
})

/** One line a request: method, route pattern, status, ms. Never the URL or the address: both may identify a person. */
export function requestLog(log: Logger) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const started = performance.now()
    c.set('log', log)
    await next()
    if (!log.isLevelEnabled('info')) return
    const ms = Math.round((performance.now() - started) * 10) / 10
    log.info({
      requestId: c.get('requestId'),
      method: c.req.method,
      route: routePath(c),
      status: c.res.status,
      ms,
    })
  })
}

/**
 * Sets the Content-Security-Policy and related headers. Pages run only our own scripts with the request's nonce: no
 * plug-ins, no foreign frames, forms only to ourselves. Style attributes are allowed for measured values (bar widths,
 * menu positions); style elements need the nonce. Data may do nothing, in case a browser shows it as a page; its policy
 * is constant, so that an enlistment doesn't pay for a nonce.
 */
export function securityHeaders({ isHttps }: { isHttps: boolean }) {
  const companions = {
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    referrerPolicy: 'strict-origin-when-cross-origin',
    strictTransportSecurity: isHttps ? 'max-age=31536000; includeSubDomains' : false,
    xFrameOptions: 'DENY',
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
  }
  const ofPages = secureHeaders({
    ...companions,
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      baseUri: ["'none'"],
      connectSrc: ["'self'"],
      fontSrc: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      frameSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      objectSrc: ["'none'"],
      scriptSrc: [NONCE, "'strict-dynamic'", "'self'"],
      scriptSrcAttr: ["'none'"],
      styleSrc: ["'self'", NONCE],
      styleSrcAttr: ["'unsafe-inline'"],
      workerSrc: ["'self'"],
      ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
    },
  })
  const ofData = secureHeaders({
    ...companions,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  })
  // What others uploaded is not even of our origin.
  const ofFiles = secureHeaders({
    ...companions,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
  })
  // Scripts of our own are never pages: each of a first visit's dozen would carry a kilobyte for nothing.
  const ofAssets = secureHeaders({
    crossOriginResourcePolicy: companions.crossOriginResourcePolicy,
    strictTransportSecurity: companions.strictTransportSecurity,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  return createMiddleware<AppEnv>((c, next) => {
    if (c.req.path.startsWith('/assets/')) return ofAssets(c, next)
    if (c.req.path.startsWith('/api/files/')) return ofFiles(c, next)
    return isData(c.req.path) ? ofData(c, next) : ofPages(c, next)
  })
}

function isData(path: string): boolean {
  return path.startsWith('/api/') && !path.startsWith('/api/docs')
}

/**
 * Refuses changing requests from another site (cross-site request forgery). With a session's cookie one of the two
 * headers is required. Programs send neither header and no cookies, so they pass. So does a request with a token and
 * without a cookie: it has no session to abuse.
 */
export function sameOrigin({
  env,
  proxy,
  mayNameSession,
}: Pick<AppContext, 'env' | 'proxy'> & { mayNameSession: MayNameSession }) {
  const publicHost = env.PUBLIC_URL ? new URL(env.PUBLIC_URL).host : undefined
  return createMiddleware<AppEnv>((c, next) => {
    const isTokenOnly = bearerOf(c) !== undefined && c.req.header('Cookie') === undefined
    if (!isTokenOnly && !isSameOrigin((name) => c.req.header(name))) throw new AppError('permission_denied')
    return next()
  })

  function isSameOrigin(header: (name: string) => string | undefined): boolean {
    const site = header('Sec-Fetch-Site')
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    const origin = header('Origin')
    if (origin === undefined) return site !== undefined || !mayNameSession(header('Cookie'))
    const host = (proxy.isTrusted ? header('X-Forwarded-Host') : undefined) ?? header('Host')
    const originHost = URL.canParse(origin) ? new URL(origin).host : undefined
    return originHost !== undefined && (originHost === host || originHost === publicHost)
  }
}

/** What a signed-in person gets is stored nowhere. Files are: their address is their content's hash. */
export function uncacheSignedIn(mayNameSession: MayNameSession) {
  const forbidCaching = createMiddleware<AppEnv>(async (c, next) => {
    await next()
    const isExact = c.res.headers.get('Cache-Control')?.includes('no-transform')
    // Not by c.header, which makes the finished response anew, its text now a stream.
    c.res.headers.set('Cache-Control', `private, no-store${isExact ? ', no-transform' : ''}`)
  })
  return createMiddleware<AppEnv>((c, next) => {
    const isFile = c.req.path.startsWith('/api/files/')
    return mayNameSession(c.req.header('Cookie')) && !isFile ? forbidCaching(c, next) : next()
  })
}

/**
 * Compresses pages and GET responses of the API. Responses to changes are too short to be worth it during an
 * enlistment. Cacheable responses are compressed when they are stored.
 */
export function compressExceptChanges() {
  const compression = compress()
  return createMiddleware<AppEnv>((c, next) => {
    const isChange = c.req.method !== 'GET' && c.req.path.startsWith('/api/')
    return isChange || c.get('cacheable') ? next() : compression(c, next)
  })
}

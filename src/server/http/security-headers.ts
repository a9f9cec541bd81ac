import { createMiddleware } from 'hono/factory'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import type { AppEnv } from './context.ts'

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

import { NONCE, secureHeaders } from 'hono/secure-headers'

/**
 * The Content-Security-Policy and its companions for pages and API alike: only our own scripts with this
 * request's nonce, no plug-ins, no frames of others, forms only to ourselves. Style attributes are allowed
 * because the browser needs them for measured values (bar widths, positions of menus); style elements need
 * the nonce.
 */
export function securityHeaders({ isHttps }: { isHttps: boolean }) {
  return secureHeaders({
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
      ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
    },
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    referrerPolicy: 'strict-origin-when-cross-origin',
    strictTransportSecurity: isHttps ? 'max-age=31536000; includeSubDomains' : false,
    xFrameOptions: 'DENY',
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
  })
}

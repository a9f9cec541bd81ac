import type { IncomingHttpHeaders } from 'node:http'
import { mayNameSession } from '#server/features/auth/session-cookie.ts'

/** Anything else is nobody's host name. */
const hostPattern = /^[\w.:[\]-]{1,255}$/

interface Reach {
  /** PUBLIC_URL, where the operator gave one: then pages are the same under every name. */
  publicUrl: string | undefined
  /** Whether the proxy's headers count. */
  trustProxy: boolean
}

interface AskedFor {
  method: string | undefined
  /** Path and query as they were sent. */
  address: string | undefined
  header: (name: 'host' | 'cookie' | 'x-forwarded-host' | 'x-forwarded-proto') => string | undefined
}

export type WarmKeyOf = (asked: AskedFor) => string | undefined

/**
 * Under what an answer is kept: its address and, since links name it, the host that was asked. Undefined for
 * whoever may be signed in, and for anything but reading.
 */
export function createWarmKey({ publicUrl, trustProxy }: Reach): WarmKeyOf {
  const originOf = (header: AskedFor['header']) => {
    if (publicUrl !== undefined) return ''
    const host = (trustProxy ? header('x-forwarded-host') : undefined) ?? header('host') ?? ''
    if (!hostPattern.test(host)) return undefined
    return trustProxy && header('x-forwarded-proto') === 'https' ? `https://${host}` : host
  }
  return ({ method, address, header }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (mayNameSession(header('cookie'))) return undefined
    const origin = originOf(header)
    return origin === undefined || address === undefined ? undefined : origin + address
  }
}

/** The same of a request as Node hands it over. */
export function headersOf(headers: IncomingHttpHeaders): AskedFor['header'] {
  return (name) => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  }
}

import type { IncomingHttpHeaders } from 'node:http'
import { mayNameSession } from '#server/features/auth/session-cookie.ts'
import { mayNameReceipt } from '#server/features/registration/receipt-cookie.ts'
import { showsReceipt } from './public-address.ts'

/** Anything else is nobody's host name. */
const hostPattern = /^[\w.:[\]-]{1,255}$/

interface AskedFor {
  method: string | undefined
  /** Path and query as they were sent. */
  address: string | undefined
  header: (name: 'host' | 'cookie') => string | undefined
}

export type WarmKeyOf = (asked: AskedFor) => string | undefined

/**
 * Under what an answer is kept: its address and, since links name it, the host that was asked. Undefined for
 * whoever may be signed in, for a page that shows the asker's own receipt, and for anything but reading.
 *
 * @param publicUrl PUBLIC_URL, where the operator gave one: then pages are the same under every name
 */
export function createWarmKey(publicUrl: string | undefined): WarmKeyOf {
  return ({ method, address, header }) => {
    if ((method !== 'GET' && method !== 'HEAD') || address === undefined) return undefined
    const cookies = header('cookie')
    if (mayNameSession(cookies)) return undefined
    if (mayNameReceipt(cookies) && showsReceipt(address)) return undefined
    if (publicUrl !== undefined) return address
    const host = header('host') ?? ''
    return hostPattern.test(host) ? host + address : undefined
  }
}

/** The same of a request as Node hands it over. */
export function headersOf(headers: IncomingHttpHeaders): AskedFor['header'] {
  return (name) => headers[name]
}

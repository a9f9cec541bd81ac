import { timingSafeEqual } from 'node:crypto'
import { parse, serialize } from 'hono/utils/cookie'
import type { AppContext } from '#server/lib/app-context.ts'
import { deriveKey, signatureOf } from '#server/lib/digest.ts'
import { receiptCookieName } from '#shared/registration/consent.ts'

// seconds
const receiptLifetime = 60 * 60

/**
 * What the confirmation page shows. It doesn't identify the student: the cookie stays on what may be a shared phone.
 */
export interface Receipt {
  reference: string
  registrationDate: string
  nstpComponent: string
  emailSent: boolean
  emailError: string | null
}

type ReceiptCookiesOptions = Pick<AppContext, 'secretKey' | 'isHttps' | 'clock'>

/**
 * Whether the response may show a receipt: only the home page and its data do. Runs at each request, so it only searches
 * for the cookie's name.
 */
export function mayShowReceipt(cookieHeader: string | undefined, address: string): boolean {
  return (cookieHeader?.includes(receiptCookieName) ?? false) && /^\/(_root\.data)?(\?|$)/.test(address)
}

/** Signed cookies, so that the confirmation page needs no database and can't be forged. */
export function createReceiptCookies({ secretKey, isHttps, clock }: ReceiptCookiesOptions) {
  const key = deriveKey(secretKey, 'registration receipt')
  const name = isHttps ? `__Host-${receiptCookieName}` : receiptCookieName

  return {
    /** The Set-Cookie header of a receipt, valid for an hour. */
    seal(receipt: Receipt): string {
      const expires = clock().getTime() + receiptLifetime * 1000
      const text = Buffer.from(JSON.stringify({ ...receipt, expires })).toString('base64url')
      return serialize(name, `${text}.${signatureOf(key, text).toString('base64url')}`, {
        path: '/',
        httpOnly: true,
        sameSite: 'Lax',
        secure: isHttps,
        maxAge: receiptLifetime,
      })
    },

    open(cookieHeader: string | undefined) {
      const [text, signature] = parse(cookieHeader ?? '', name)[name]?.split('.') ?? []
      if (text === undefined || signature === undefined) return undefined
      const given = Buffer.from(signature, 'base64url')
      const expected = signatureOf(key, text)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      // Signed by `seal`, so it has the shape that `seal` writes.
      const { expires, ...receipt } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Receipt & {
        expires: number
      }
      return expires > clock().getTime()
        ? { ...receipt, expires: new Date(expires).toISOString() }
        : undefined
    },
  }
}

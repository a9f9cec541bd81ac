import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { deriveKey } from '#server/lib/digest.ts'
import { createReceiptCookies, type Receipt } from './receipt-cookie.ts'

const secretKey = Buffer.alloc(32, 7)
const receipt: Receipt = {
  reference: 'NSTP-ABCD-2345',
  registrationDate: '2026-11-20T03:00:00.000Z',
  nstpComponent: 'CWTS',
  emailSent: false,
  emailError: null,
}

const opened = { ...receipt, expires: '2026-11-20T04:00:00.000Z' }

function cookiesAt(now: string, options: { secretKey?: Buffer; isHttps?: boolean } = {}) {
  return createReceiptCookies({ secretKey, isHttps: false, clock: () => new Date(now), ...options })
}

function cookieFrom(setCookie: string): string {
  return setCookie.slice(0, setCookie.indexOf(';'))
}

describe('a receipt in a cookie', () => {
  const cookies = cookiesAt('2026-11-20T03:00:00Z')

  test('is read back unchanged', () => {
    expect(cookies.open(cookieFrom(cookies.seal(receipt)))).toEqual(opened)
    expect(cookies.open(`theme=dark; ${cookieFrom(cookies.seal(receipt))}; x=1`)).toEqual(opened)
  })

  test('is HttpOnly and SameSite, for an hour', () => {
    expect(cookies.seal(receipt)).toMatch(/^nstp-receipt=\S+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('is bound to the host where the product is reached over https', () => {
    const overHttps = cookiesAt('2026-11-20T03:00:00Z', { isHttps: true })
    expect(overHttps.seal(receipt)).toMatch(/^__Host-nstp-receipt=.*; Secure/)
    expect(overHttps.open(cookieFrom(overHttps.seal(receipt)))).toEqual(opened)
    expect(overHttps.open(cookieFrom(cookies.seal(receipt)))).toBeUndefined()
  })

  test('is invalid after an hour', () => {
    const cookie = cookieFrom(cookies.seal(receipt))
    expect(cookiesAt('2026-11-20T03:59:59Z').open(cookie)).toEqual(opened)
    expect(cookiesAt('2026-11-20T04:00:00Z').open(cookie)).toBeUndefined()
  })

  test('takes one algorithm, which it does not name', () => {
    const cookie = cookieFrom(cookies.seal(receipt))
    const text = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf('.'))
    expect(Object.keys(JSON.parse(Buffer.from(text, 'base64url').toString()))).toEqual([
      ...Object.keys(receipt),
      'expires',
    ])
    const key = deriveKey(secretKey, 'registration receipt')
    const signedBy = (algorithm: string) =>
      `nstp-receipt=${text}.${createHmac(algorithm, key).update(text).digest('base64url')}`
    expect(cookies.open(signedBy('sha256'))).toEqual(opened)
    for (const algorithm of ['md5', 'sha1', 'sha224', 'sha384', 'sha512', 'sha512-256', 'sha3-256']) {
      expect(cookies.open(signedBy(algorithm))).toBeUndefined()
    }
    expect(cookies.open(`nstp-receipt=${text}.`)).toBeUndefined()
    // As tokens that name theirs may.
    const named = { ...opened, expires: 1e15, alg: 'none' }
    for (const signature of ['', 'none']) {
      const unsigned = Buffer.from(JSON.stringify(named)).toString('base64url')
      expect(cookies.open(`nstp-receipt=${unsigned}.${signature}`)).toBeUndefined()
    }
  })

  test('is ignored without a valid signature', () => {
    const other = cookiesAt('2026-11-20T03:00:00Z', { secretKey: Buffer.alloc(32, 8) })
    expect(cookies.open(cookieFrom(other.seal(receipt)))).toBeUndefined()
    const [text, signature] = cookieFrom(cookies.seal(receipt)).split('.')
    const forged = Buffer.from(JSON.stringify({ ...receipt, expires: 1e15 })).toString('base64url')
    expect(cookies.open(`nstp-receipt=${forged}.${signature}`)).toBeUndefined()
    expect(cookies.open(`${text}.`)).toBeUndefined()
    expect(cookies.open(`${text}`)).toBeUndefined()
  })

  test.each([undefined, '', 'nstp-receipt=', 'nstp-receipt=.', 'nstp-receipt=a.b', 'other=1'])(
    'is absent from %j',
    (header) => {
      expect(cookies.open(header)).toBeUndefined()
    },
  )
})

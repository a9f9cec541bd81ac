import { generateCookie } from 'hono/cookie'
import { describe, expect, test } from 'vitest'
import { cookieFor, isReachedOverHttps, readToken } from './session-cookies.ts'

describe('whether the product is reached over https', () => {
  test('PUBLIC_URL decides', () => {
    expect(isReachedOverHttps({ publicUrl: 'https://nstp.school.example', trustProxy: false })).toBe(true)
    expect(isReachedOverHttps({ publicUrl: 'http://192.168.1.5:3000', trustProxy: false })).toBe(false)
    expect(isReachedOverHttps({ publicUrl: undefined, trustProxy: false })).toBe(false)
  })

  test("the proxy's header counts when the proxy is trusted", () => {
    const reach = { publicUrl: undefined, forwardedProto: 'https' }
    expect(isReachedOverHttps({ ...reach, trustProxy: true })).toBe(true)
    expect(isReachedOverHttps({ ...reach, trustProxy: false })).toBe(false)
  })

  test('of several proxies the first spoke to the browser', () => {
    const reach = { publicUrl: undefined, trustProxy: true }
    expect(isReachedOverHttps({ ...reach, forwardedProto: 'https, http' })).toBe(true)
    expect(isReachedOverHttps({ ...reach, forwardedProto: 'http, https' })).toBe(false)
  })
})

describe('the cookies', () => {
  const write = (kind: 'session' | 'device', isHttps: boolean) => {
    const { name, options } = cookieFor(kind, isHttps)
    return generateCookie(name, 'token', options)
  }

  test('over https they are bound to this host', () => {
    expect(write('session', true)).toBe('__Host-nstp-session=token; Path=/; HttpOnly; Secure; SameSite=Lax')
  })

  test('over http they have a plain name, because browsers refuse the prefix', () => {
    expect(write('session', false)).toBe('nstp-session=token; Path=/; HttpOnly; SameSite=Lax')
  })

  test('a session that is kept has a cookie of 30 days', () => {
    const { name, options } = cookieFor('session', false, true)
    expect(generateCookie(name, 'token', options)).toBe(
      'nstp-session=token; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    )
  })

  test('a device stays known for 180 days', () => {
    expect(write('device', true)).toBe(
      '__Host-nstp-device=token; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
  })
})

describe('reading a token', () => {
  test('is undefined without a cookie', () => {
    expect(readToken('session', undefined, false)).toBeUndefined()
    expect(readToken('session', 'theme=dark', false)).toBeUndefined()
  })

  test('distinguishes the two cookies', () => {
    const header = 'theme=dark; nstp-session=one; nstp-device=two'
    expect(readToken('session', header, false)).toBe('one')
    expect(readToken('device', header, false)).toBe('two')
  })

  test('over https a cookie without the prefix is ignored', () => {
    expect(readToken('session', 'nstp-session=planted', true)).toBeUndefined()
    expect(readToken('session', 'nstp-session=planted; __Host-nstp-session=own', true)).toBe('own')
  })

  test('elsewhere the prefixed one comes first', () => {
    expect(readToken('session', 'nstp-session=planted; __Host-nstp-session=own', false)).toBe('own')
  })
})

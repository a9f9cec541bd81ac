import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { readEnv } from '#server/env.ts'
import type { AppEnv } from './context.ts'
import { createCookie, isReachedOverHttps } from './cookie.ts'

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

const cookieAt = (publicUrl: string) =>
  createCookie({ env: readEnv({ PUBLIC_URL: publicUrl }), isHttps: publicUrl.startsWith('https') }, 'own')
const [plain, secure] = [cookieAt('http://192.168.1.5:3000'), cookieAt('https://nstp.school.example')]

async function written(cookie: typeof plain, lifetime?: number) {
  const app = new Hono<AppEnv>().get('/', (c) => {
    cookie.write(c, 'token', lifetime)
    return c.body(null)
  })
  return (await app.request('/')).headers.get('Set-Cookie')
}

describe('a cookie', () => {
  test('over https is bound to this host', async () => {
    expect(await written(secure)).toBe('__Host-own=token; Path=/; HttpOnly; Secure; SameSite=Lax')
  })

  test('over http has a plain name, because browsers refuse the prefix', async () => {
    expect(await written(plain)).toBe('own=token; Path=/; HttpOnly; SameSite=Lax')
  })

  test('outlives the browser where it has a lifetime', async () => {
    expect(await written(plain, 60_000)).toBe('own=token; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
  })

  test('is read by its own name', () => {
    expect(plain.read(undefined)).toBeUndefined()
    expect(plain.read('theme=dark; own-other=two')).toBeUndefined()
    expect(plain.read('theme=dark; own=one; own-other=two')).toBe('one')
  })

  test('over https is ignored without the prefix; elsewhere the prefixed one comes first', () => {
    expect(secure.read('own=planted')).toBeUndefined()
    expect(secure.read('own=planted; __Host-own=own')).toBe('own')
    expect(plain.read('own=planted; __Host-own=own')).toBe('own')
  })
})

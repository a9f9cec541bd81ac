import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

/** A notice takes a tenth of a second; a busy machine adds to that. */
const soon = { timeout: 3_000, interval: 20 }

let database: TestDatabase
let one: TestServer
let other: TestServer
let cookie: string

beforeAll(async () => {
  database = await createTestDatabase()
  one = await startTestServer({ database, keepsAnswers: true })
  other = await startTestServer({ database, keepsAnswers: true })
  cookie = await one.signIn()
})
afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  await database.close()
})

function read(path: string, headers: Record<string, string> = {}, server = one) {
  return fetch(server.url + path, { headers })
}

/** Reads until the answer comes out of memory. */
async function warmUp(path: string, server = one) {
  await expect.poll(async () => (await read(path, {}, server)).headers.has('ETag'), soon).toBe(true)
}

async function rename(schoolName: string) {
  const admin = createAdminClient(one, cookie)
  const { version } = await (await admin.call('GET', '/settings')).json()
  const changed = await admin.call('PATCH', '/settings', { schoolName }, { 'If-Match': `"${version}"` })
  expect(changed.status).toBe(200)
}

async function schoolName(server: TestServer) {
  const { schoolName: name }: { schoolName: string } = await (await read('/api/site', {}, server)).json()
  return name
}

describe('a kept answer', () => {
  test('costs no query', async () => {
    await warmUp('/api/announcements')
    let connections = 0
    const count = () => {
      connections += 1
    }
    database.pool.on('acquire', count)
    for (let times = 0; times < 20; times++) await (await read('/api/announcements')).text()
    database.pool.off('acquire', count)
    expect(connections).toBe(0)
  })

  test('has the headers of one that was made now', async () => {
    await warmUp('/api/site')
    const kept = (await read('/api/site')).headers
    const made = (await read('/api/site', { Cookie: 'nstp-session=of-nobody' })).headers
    const own = new Set([
      ...['date', 'etag', 'vary', 'x-request-id', 'keep-alive', 'connection'],
      ...['content-length', 'content-encoding', 'transfer-encoding'],
    ])
    const rest = (headers: Headers) => [...headers].filter(([name]) => !own.has(name)).sort()
    expect(rest(kept)).toEqual(rest(made))
    // The log has no line of its own for it.
    expect(kept.has('X-Request-Id')).toBe(false)
  })

  test('is not sent to who has it already, nor its body to who asks for its head', async () => {
    await warmUp('/api/site')
    const etag = (await read('/api/site')).headers.get('ETag') ?? ''
    const again = await read('/api/site', { 'If-None-Match': etag })
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' })
    const head = await fetch(`${one.url}/api/site`, { method: 'HEAD' })
    expect({ status: head.status, etag: head.headers.get('ETag'), text: await head.text() }).toEqual({
      status: 200,
      etag,
      text: '',
    })
  })

  test('is for nobody who may be signed in', async () => {
    await warmUp('/api/announcements')
    const answer = await read('/api/announcements', { Cookie: cookie })
    expect(answer.headers.has('ETag')).toBe(false)
  })
})

describe('a change', () => {
  test('is in the next answer of its process, and soon in those of the others', async () => {
    for (const name of ['Cavite State University', 'Cavite State University, Imus']) {
      await Promise.all([warmUp('/api/site'), warmUp('/api/site', other)])
      await rename(name)
      expect(await schoolName(one)).toBe(name)
      await expect.poll(() => schoolName(other), soon).toBe(name)
    }
  })

  test('is never followed by an older answer, however many read meanwhile', async () => {
    let isReading = true
    const readers = Array.from({ length: 8 }, async () => {
      const seen: string[] = []
      while (isReading) seen.push(await schoolName(one))
      return seen.filter((name) => name.startsWith('Round'))
    })
    for (let round = 0; round < 10; round++) {
      await rename(`Round ${round}`)
      const names = await Promise.all(Array.from({ length: 8 }, () => schoolName(one)))
      expect(new Set(names)).toEqual(new Set([`Round ${round}`]))
    }
    isReading = false
    for (const seen of await Promise.all(readers)) expect(seen).toEqual([...seen].sort())
  })
})

import { randomUUID } from 'node:crypto'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { challengeAgeMs } from '#shared/problem.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { challengeLimits } from './challenges.ts'

const options = {
  env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on', SCHOOL_NETWORKS: '198.51.100.0/24' },
  now: new Date('2026-11-20T03:00:00Z'),
}
const minute = 60_000
let server: TestServer

beforeAll(async () => {
  server = await startTestServer(options)
})
afterAll(() => server.close())

interface Sent {
  key?: string
  challenge?: string
  cookie?: string
}

const body = buildRegistration()

function enlist(from: string, { key = randomUUID(), challenge = '', cookie = '' }: Sent = {}) {
  return fetch(`${server.url}/api/registrations`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': from,
      'Idempotency-Key': key,
      'Sec-Fetch-Site': 'same-origin',
      ...(challenge && { 'Registration-Challenge': challenge }),
      ...(cookie && { Cookie: cookie }),
    },
    body: JSON.stringify(body),
  })
}

/** @returns how many were accepted */
async function enlistMany(from: string, count: number): Promise<number> {
  let left = count
  let accepted = 0
  const work = async () => {
    while (left-- > 0) {
      const answer = await enlist(from)
      await answer.arrayBuffer()
      if (answer.status === 201) accepted++
    }
  }
  await Promise.all(Array.from({ length: 20 }, work))
  return accepted
}

async function challengeOf(answer: Response): Promise<string> {
  const problem = await answer.json()
  expect([answer.status, problem.code]).toEqual([403, 'challenge_needed'])
  expect(answer.headers.get('Retry-After')).toBe('30')
  return problem.challenge
}

async function solutionOf(text: string): Promise<string> {
  const challenge = JSON.parse(text)
  return JSON.stringify({ ...challenge, solution: await solveChallenge({ challenge, deriveKey }) })
}

const later = (ms: number) => {
  options.now = new Date(options.now.getTime() + ms)
}

describe('more enlistments than usual', () => {
  const from = '192.0.2.1'
  let key: string
  let challenge: string

  beforeAll(async () => {
    expect(await enlistMany(from, challengeLimits.usual.points)).toBe(challengeLimits.usual.points)
  })
  beforeEach(async () => {
    key = randomUUID()
    challenge = await challengeOf(await enlist(from, { key }))
  })

  test('of one network are asked for a proof of work, those of other networks and known browsers are not', async () => {
    expect((await enlist('192.0.2.2')).status).toBe(201)
    expect((await enlist(from, { cookie: await server.signIn() })).status).toBe(201)
  })

  test('are accepted with it after three seconds, once: the same key gets the first answer, another key a challenge of its own', async () => {
    const solved = await solutionOf(challenge)
    later(2_999)
    const early = await enlist(from, { key, challenge: solved })
    expect([early.status, early.headers.get('Retry-After')]).toEqual([403, '3'])
    later(1)
    const first = await enlist(from, { key, challenge: solved })
    expect(first.status).toBe(201)
    const again = await enlist(from, { key, challenge: solved })
    expect((await again.json()).id).toBe((await first.json()).id)
    expect(await challengeOf(await enlist(from, { challenge: solved }))).not.toBe(challenge)
  })

  test('are refused with a wrong, a forged, an unreadable or an expired answer', async () => {
    const answer = JSON.parse(await solutionOf(challenge))
    later(challengeAgeMs)
    const { solution, parameters } = answer
    const wrong = JSON.stringify({ ...answer, solution: { ...solution, counter: solution.counter + 1 } })
    expect(await challengeOf(await enlist(from, { key, challenge: wrong }))).toBe(challenge)
    const easier = JSON.stringify({ ...answer, parameters: { ...parameters, cost: 1 } })
    for (const text of [easier, 'null', '{"parameters":5}', 'text']) {
      expect(await challengeOf(await enlist(from, { key, challenge: text }))).not.toBe(challenge)
    }
    later(31 * minute)
    await challengeOf(await enlist(from, { key, challenge: JSON.stringify(answer) }))
  })

  test('are asked again, however many come with an answer that is too old', async () => {
    const solved = await solutionOf(challenge)
    later(31 * minute)
    for (let count = 0; count <= challengeLimits.madeUp.points; count++) {
      await challengeOf(await enlist(from, { key, challenge: solved }))
    }
  })

  test('are asked of a browser that was removed by a new password or signed out elsewhere, and of its session alone', async () => {
    const accepts = async (cookie: string) => (await enlist(from, { cookie })).status === 201
    const call = (method: string, path: string, cookie: string, body?: object) =>
      fetch(`${server.url}/api/session${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', Cookie: cookie },
        ...(body && { body: JSON.stringify(body) }),
      })
    const newPassword = 'my tricycle broke down in Marikina'
    const removed = await server.signIn()
    const own = await server.signIn()
    expect(await accepts(removed)).toBe(true)
    const passwords = { currentPassword: adminPassword, newPassword }
    expect((await call('PUT', '/password', own, passwords)).status).toBe(204)
    await expect.poll(() => accepts(removed)).toBe(false)
    expect(await accepts(own)).toBe(true)
    // Its session's cookie, without that of the browser.
    const again = await server.signIn(newPassword)
    expect(await accepts(again.split('; ').find((one) => one.startsWith('nstp-session')) ?? '')).toBe(false)
    expect((await call('DELETE', '', again)).status).toBe(204)
    expect(await accepts(again)).toBe(true)
    const last = await server.signIn(newPassword)
    expect((await call('DELETE', '/devices', last)).status).toBe(200)
    expect(
      (await call('PUT', '/password', last, { currentPassword: newPassword, newPassword: adminPassword }))
        .status,
    ).toBe(204)
    await expect.poll(() => accepts(again)).toBe(false)
  })

  test('without scripts are accepted after a wait, once and only some of them', async () => {
    later(29_000)
    expect(await challengeOf(await enlist(from, { key, challenge }))).toBe(challenge)
    later(1_000)
    expect((await enlist(from, { key, challenge })).status).toBe(201)
    await challengeOf(await enlist(from, { challenge }))
    // The same again is counted too, and stores nothing.
    for (let count = 1; count < challengeLimits.waited.points; count++) {
      expect((await enlist(from, { key, challenge })).status).toBe(201)
    }
    expect((await enlist(from, { key, challenge })).status).toBe(429)
  })

  test('with made-up answers are counted, and take nothing from those who solved theirs', async () => {
    const solved = await solutionOf(challenge)
    later(challengeAgeMs)
    const { signature, ...unsigned } = JSON.parse(solved)
    expect(signature).toMatch(/^[0-9a-f]+$/)
    const forged = JSON.stringify({ ...unsigned, signature: '0'.repeat(64) })
    const wrong = JSON.stringify({ ...unsigned, signature, solution: { counter: 1, derivedKey: '00ff' } })
    for (let i = 0; i < challengeLimits.madeUp.points; i++) {
      const { status } = await enlist(from, { key, challenge: i % 2 ? forged : wrong })
      if (status === 429) break
      expect(status).toBe(403)
    }
    expect((await enlist(from, { key, challenge: forged })).status).toBe(429)
    expect((await enlist(from, { key, challenge: wrong })).status).toBe(429)
    expect((await enlist(from, { key, challenge: solved })).status).toBe(201)
  })
})

test("a school's own network has ten times as many, and a whole site more than one network", {
  tags: ['rest'],
}, async () => {
  const { usual, usualOfSite } = challengeLimits
  expect(await enlistMany('198.51.100.7', usual.points + 1)).toBe(usual.points + 1)
  const networks = Math.ceil(usualOfSite.points / usual.points)
  for (let index = 0; index < networks; index++) await enlistMany(`203.0.113.${index}`, usual.points)
  await challengeOf(await enlist('203.0.113.100'))
  expect((await enlist('198.51.100.7')).status).toBe(201)
})

// @module-tag rest
import { randomUUID } from 'node:crypto'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { expect, onTestFinished, test } from 'vitest'
import { sleep } from '#server/lib/scheduler.ts'
import { challengeAgeMs } from '#shared/problem.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { startProduct } from '#tests/setup/product.ts'
import { until } from './load.ts'

const students = 60

const json = { 'Content-Type': 'application/json' }
const post = (body: unknown, headers = {}) => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: JSON.stringify(body),
})

/** Whatever one browser or program at the address of a campus can send in a loop. */
const floods: [path: string, init?: RequestInit][] = [
  ['/api/places?search=bacoor'],
  ['/login'],
  ['/register'],
  ['/api/registrations', post({})],
  ['/api/registrations', post(buildRegistration())],
  ['/api/registrations', post({ ...buildRegistration(), email: 'nobody' })],
  ['/api/registrations', post(buildRegistration(), { Origin: 'https://elsewhere.example' })],
  ['/api/registrations', { method: 'POST', headers: json, body: '{"lastName": ' }],
]

test('students enlist at an address that somebody else floods', async () => {
  const product = await startProduct({ LOG_LEVEL: 'error' })
  onTestFinished(product.remove)
  const statuses = new Set<number>()
  let isChallenged = false
  let isOver = false
  const flood = async ([path, init]: (typeof floods)[number]) => {
    while (!isOver) {
      const answer = await fetch(product.url + path, init)
      if ((await answer.text()).includes('challenge_needed')) isChallenged = true
      statuses.add(answer.status)
    }
  }
  const flooding = Promise.all(floods.map(flood))
  await until('the flood is refused', () => statuses.has(429) && isChallenged, 60_000)
  let left = students
  const enlist = async () => {
    while (left-- > 0) {
      expect((await fetch(`${product.url}/register`)).status).toBe(200)
      const body = buildRegistration()
      const own = { 'Idempotency-Key': randomUUID() }
      const first = await fetch(`${product.url}/api/registrations`, post(body, own))
      const { challenge: text, code } = await first.json()
      expect([first.status, code]).toEqual([403, 'challenge_needed'])
      // As the form does by itself.
      const challenge = JSON.parse(text)
      const [solution] = await Promise.all([solveChallenge({ challenge, deriveKey }), sleep(challengeAgeMs)])
      const solved = { ...own, 'Registration-Challenge': JSON.stringify({ ...challenge, solution }) }
      expect((await fetch(`${product.url}/api/registrations`, post(body, solved))).status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: 10 }, enlist)).finally(() => {
    isOver = true
  })
  await flooding
  expect([...statuses].filter((status) => status >= 500)).toEqual([])
}, 120_000)

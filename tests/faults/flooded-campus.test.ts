import { expect, onTestFinished, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { startProduct } from '#tests/setup/product.ts'
import { until } from './load.ts'

const students = 200

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
  ['/api/registrations', post({ ...buildRegistration(), email: 'nobody' })],
  ['/api/registrations', post(buildRegistration(), { Origin: 'https://elsewhere.example' })],
  ['/api/registrations', { method: 'POST', headers: json, body: '{"lastName": ' }],
]

test('students enlist at an address that somebody else floods', async () => {
  const product = await startProduct({ LOG_LEVEL: 'error' })
  onTestFinished(product.remove)
  const statuses = new Set<number>()
  let isOver = false
  const flood = async ([path, init]: (typeof floods)[number]) => {
    while (!isOver) {
      const answer = await fetch(product.url + path, init)
      await answer.arrayBuffer()
      statuses.add(answer.status)
    }
  }
  const flooding = Promise.all(floods.map(flood))
  await until('the flood is refused', () => statuses.has(429), 60_000)
  let left = students
  const enlist = async () => {
    while (left-- > 0) {
      expect((await fetch(`${product.url}/register`)).status).toBe(200)
      const answer = await fetch(`${product.url}/api/registrations`, post(buildRegistration()))
      expect(answer.status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: 10 }, enlist)).finally(() => {
    isOver = true
  })
  await flooding
  expect([...statuses].filter((status) => status >= 500)).toEqual([])
}, 120_000)

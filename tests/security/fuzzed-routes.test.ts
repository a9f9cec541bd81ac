// @module-tag rest
import { afterAll, beforeAll, expect, test } from 'vitest'
import { naughtyStrings } from '#tests/factories/naughty-strings.ts'
import {
  baseOf,
  type Description,
  type Operation,
  operationsOf,
  readDescription,
  type Schema,
} from '#tests/setup/api-description.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

// Streams without an end; the end of the test's own session.
const leftOut = ['GET /events', 'DELETE /session']
// More in the proof.
const timesEach = Number(process.env.FUZZ_TIMES ?? 8)

let server: TestServer
let description: Description
beforeAll(async () => {
  server = await startTestServer()
  description = await readDescription(server.url)
})
afterAll(() => server.close())

// The same texts at each run: a failure can be repeated.
let seed = 15
function random(below: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}
const oneOf = <T>(list: readonly T[]): T | undefined => list[random(list.length)]
const naughty = () => oneOf(naughtyStrings) ?? ''

function valueFor(schema: Schema | undefined, depth = 0): unknown {
  const own = schema?.$ref ? description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
  if (depth > 4 || random(6) === 0) return oneOf([null, [], {}, true, -1, 1e300, [[]], naughty()])
  if (own?.enum && random(2) === 0) return oneOf(own.enum)
  if (own?.properties) {
    const entries = Object.entries(own.properties).filter(() => random(5) > 0)
    return Object.fromEntries(entries.map(([name, of]) => [name, valueFor(of, depth + 1)]))
  }
  if (own?.items) return Array.from({ length: random(3) }, () => valueFor(own.items, depth + 1))
  const isNumber = [own?.type].flat().some((type) => type === 'integer' || type === 'number')
  return isNumber ? oneOf([0, 1, -1, 2 ** 31, 2 ** 53, 0.5]) : naughty()
}

function bodyOf({ requestBody }: Operation) {
  const types = Object.keys(requestBody?.content ?? {})
  const type = oneOf(types.length > 0 ? types : ['application/json']) ?? ''
  if (type === 'multipart/form-data') {
    const form = new FormData()
    const fields = valueFor(requestBody?.content[type]?.schema)
    if (typeof fields === 'object' && fields !== null) {
      for (const name of Object.keys(fields))
        form.append(name, random(3) ? naughty() : new File(['x'], naughty()))
    }
    return { body: form }
  }
  const value = JSON.stringify(valueFor(requestBody?.content[type]?.schema))
  return { body: random(12) === 0 ? value.slice(0, -1) : value, headers: { 'Content-Type': type } }
}

const nowhere = '0198f4b2-0000-7000-8000-000000000000'

function addressOf(path: string, operation: Operation) {
  const filled = path.replace(/\{\w+\}/g, () => {
    const text = random(2) ? nowhere : Buffer.from(naughty()).toString().slice(0, 300)
    // Dots alone would make it another path.
    return encodeURIComponent(/^\.{0,2}$/.test(text) ? 'x' : text)
  })
  const query = new URLSearchParams()
  for (const { name, in: where, schema } of operation.parameters ?? []) {
    if (where !== 'query' || random(3) === 0) continue
    for (let times = random(8) === 0 ? 2 : 1; times > 0; times--)
      query.append(name, String(valueFor(schema, 4)))
  }
  return `${server.url}${baseOf(operation)}${filled}?${String(query).slice(0, 8_000)}`
}

async function statusOf(path: string, method: string, operation: Operation, cookie: string) {
  const { body, headers = {} } = method === 'get' ? {} : bodyOf(operation)
  const version = naughty()
    .replace(/[^!-~]/g, '')
    .slice(0, 99)
  const response = await fetch(addressOf(path, operation), {
    method: method.toUpperCase(),
    headers: { ...headers, cookie, 'If-Match': version || '"1"' },
    ...(body === undefined ? {} : { body }),
  })
  await response.body?.cancel()
  return response.status
}

// 503 says that no mail account is configured; a failing database would show elsewhere too.
function isFault(path: string, status: number): boolean {
  return status >= 500 && !(status === 503 && /^\/(mail|send|emailService)/.test(path))
}

test('a repeated parameter is read or refused by each route, and is a fault of none', async () => {
  const cookie = await server.signIn()
  const problems: string[] = []
  let asked = 0
  for (const { path, method, operation } of operationsOf(description)) {
    if (method !== 'get' || leftOut.includes(`GET ${path}`)) continue
    const names = (operation.parameters ?? []).flatMap(({ name, in: where }) =>
      where === 'query' ? [name] : [],
    )
    for (const name of names) {
      const address = `${baseOf(operation)}${path.replace(/\{\w+\}/g, nowhere)}?${name}=1&${name}=2`
      const { status, body } = await fetch(server.url + address, { headers: { cookie } })
      await body?.cancel()
      asked += 1
      if (isFault(path, status) || !(status in operation.responses)) problems.push(`${address}: ${status}`)
    }
  }
  expect(problems).toEqual([])
  expect(asked).toBeGreaterThan(80)
})

test.each(['signed in', 'not signed in'])(
  'no route answers with a fault or an undocumented status: %s',
  { timeout: 15_000 * timesEach },
  async (who) => {
    const cookie = who === 'signed in' ? await server.signIn() : ''
    const problems = new Set<string>()
    let sent = 0
    for (const { path, method, operation } of operationsOf(description)) {
      const name = `${method.toUpperCase()} ${path}`
      for (let times = leftOut.includes(name) ? 0 : timesEach; times > 0; times--) {
        const status = await statusOf(path, method, operation, cookie)
        sent += 1
        if (isFault(path, status) || !(status in operation.responses)) problems.add(`${name}: ${status}`)
      }
    }
    expect([...problems].sort()).toEqual([])
    // Of both together 5,000 in the proof.
    expect(sent).toBeGreaterThan(125 * timesEach)
    expect((await fetch(`${server.url}/api/ready`)).status).toBe(200)
  },
)

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer, testSecretKey } from '#tests/setup/test-server.ts'
import { registrationLimits } from '../routes.ts'
import { createDayCode } from '../service.ts'

const options = { env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' }, now: new Date('2026-11-20T15:59:00Z') }
let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer(options)
  admin = createAdminClient(server, await server.signIn())
})
afterAll(() => server.close())

async function change(onlyWithCode: boolean) {
  const { version } = await (await admin.call('GET', '/settings')).json()
  const answer = await admin.call('PATCH', '/settings', { onlyWithCode }, { 'If-Match': `"${version}"` })
  expect(answer.status).toBe(200)
}

const readCode = async (): Promise<string> =>
  (await (await admin.call('GET', '/registrations/code')).json()).code

function enlist(dayCode?: string, from = '192.0.2.1') {
  return fetch(`${server.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    body: JSON.stringify({ ...buildRegistration(), ...(dayCode === undefined ? {} : { dayCode }) }),
  })
}

async function errorsOf(answer: Response) {
  expect(answer.status).toBe(422)
  return (await answer.json()).errors
}

const asked = { path: 'dayCode', message: 'Enter today’s code. Ask the NSTP office for it.' }
const wrong = { path: 'dayCode', message: 'This is not today’s code. Please ask the NSTP office for it.' }

test('is asked for while the switch is on, beside its field', async () => {
  const code = await readCode()
  expect(code).toMatch(/^[2-9A-Z]{6}$/)
  expect((await enlist()).status).toBe(201)
  await change(true)
  onTestFinished(() => change(false))
  expect(await (await fetch(`${server.url}/api/registrations/offer`)).json()).toMatchObject({
    asksCode: true,
  })
  expect(await errorsOf(await enlist())).toEqual([asked])
  expect(await errorsOf(await enlist(' '))).toEqual([asked])
  expect(await errorsOf(await enlist('AAAAAA'))).toEqual([wrong])
  expect((await enlist(` ${code.toLowerCase()} `)).status).toBe(201)
  expect(JSON.stringify(await (await fetch(`${server.url}/api/registrations/offer`)).json())).not.toContain(
    code,
  )
})

test('is another one after midnight of the program, and only administrators read it', async () => {
  const code = await readCode()
  await change(true)
  onTestFinished(() => change(false))
  options.now = new Date('2026-11-20T16:01:00Z')
  expect(await readCode()).not.toBe(code)
  expect(await errorsOf(await enlist(code))).toEqual([wrong])
  expect((await fetch(`${server.url}/api/registrations/code`)).status).toBe(401)
  // Who lacks the secret key can't compute it.
  const codeOf = (secretKey: Buffer) =>
    createDayCode({ secretKey, clock: () => options.now, timeZone: 'Asia/Manila' })()
  expect(codeOf(testSecretKey)).toBe(await readCode())
  expect(codeOf(Buffer.from('another key'))).not.toBe(await readCode())
})

test('cannot be guessed in a loop', { tags: ['rest'] }, async () => {
  await change(true)
  onTestFinished(() => change(false))
  const { points } = registrationLimits.refused
  let left = points
  const guess = async () => {
    while (left-- > 0) await (await enlist('AAAAAA', '192.0.2.2')).arrayBuffer()
  }
  await Promise.all(Array.from({ length: 20 }, guess))
  expect((await enlist('AAAAAA', '192.0.2.2')).status).toBe(429)
})

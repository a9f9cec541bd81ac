import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { startMailingServer } from '#tests/setup/mail-account.ts'

let mailing: Awaited<ReturnType<typeof startMailingServer>>
let cookie = ''
beforeAll(async () => {
  mailing = await startMailingServer()
  cookie = await mailing.server.signIn()
})
afterAll(() => mailing.close())

const victim = 'victim@elsewhere.example'
const breaks = ['\r\n', '\n', '\r', '\u2028', '\u2029', '\u0085', '\v', '\0', '%0d%0a', '\\r\\n']

const addresses = [
  ...breaks.map((mark) => `a@student.example${mark}Bcc: ${victim}`),
  `a@student.example,${victim}`,
  `a@student.example;${victim}`,
  `a@student.example ${victim}`,
  `<${victim}>`,
  `A <${victim}>`,
  `"a@student.example" <${victim}>`,
  `a@student.example>\r\nRCPT TO:<${victim}`,
  `"a, ${victim}"@student.example`,
  `group:${victim};`,
  `a(${victim})@student.example`,
  `a@student.example\u200b,${victim}`,
  `=?utf-8?q?a=2C${victim}?=`,
]
const names = [
  ...breaks.map((mark) => `Ana${mark}Bcc: ${victim}`),
  `Bcc: ${victim}`,
  `Ana <${victim}>`,
  `Ana, ${victim}`,
  `Ana\r\n\r\n<script>alert(1)</script>`,
  `Ana\r\n.\r\nMAIL FROM:<a@b.example>`,
  '=?utf-8?b?QmNjOiB2aWN0aW1AZWxzZXdoZXJlLmV4YW1wbGU=?=',
]

const taken = [200, 422, 502]

test('there are thirty cases', () => {
  expect(addresses.length + names.length).toBeGreaterThanOrEqual(30)
})

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(`${mailing.server.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return response.status
}

function checkSink(recipient: string | undefined) {
  for (const { to, raw } of mailing.sink.messages) {
    expect(to).toEqual([recipient])
    const head = raw.slice(0, raw.search(/\r?\n\r?\n/)).replace(/\r?\n[ \t]+/g, ' ')
    expect(head).not.toMatch(/^(bcc|cc):/im)
    expect(head.match(/^to:/gim)).toHaveLength(1)
    expect(head.match(/^to: .*/im)?.[0]).not.toContain(victim)
  }
  mailing.sink.reset()
}

test.each(addresses)('the address %j reaches no other recipient', async (email) => {
  const student = { firstName: 'Ana', lastName: 'Cruz', nstpComponent: 'CWTS' }
  expect(await post('/api/registrations', buildRegistration({ email }))).toBeOneOf([201, 422])
  expect(await post('/emailService/send-welcome-email', { email, ...student }, { Cookie: cookie })).toBeOneOf(
    taken,
  )
  checkSink(email.trim())
})

test.each(names)('the name %j adds no header', async (firstName) => {
  const email = `name-${names.indexOf(firstName)}@student.example`
  expect(
    await post('/api/registrations', buildRegistration({ email, firstName, lastName: firstName })),
  ).toBeOneOf([201, 422])
  const body = { email, firstName, lastName: 'Cruz', nstpComponent: 'CWTS' }
  expect(await post('/emailService/send-welcome-email', body, { Cookie: cookie })).toBeOneOf(taken)
  const asComponent = { ...body, nstpComponent: firstName }
  expect(await post('/emailService/send-welcome-email', asComponent, { Cookie: cookie })).toBe(422)
  checkSink(email)
})

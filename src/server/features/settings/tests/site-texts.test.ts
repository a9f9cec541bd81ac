import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultSiteTexts } from '#shared/settings/site-texts.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
})
afterAll(() => server.close())

async function readTexts() {
  return await (await fetch(`${server.url}/api/site/texts`)).json()
}

async function change(body: Record<string, unknown>, headers: Record<string, string> = { cookie }) {
  const settings = await (await fetch(`${server.url}/api/settings`, { headers: { cookie } })).json()
  return await fetch(`${server.url}/api/settings`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'If-Match': `"${settings.version}"`, ...headers },
    body: JSON.stringify(body),
  })
}

test('the texts are public, and change at once', async () => {
  // Nobody said the sample quotes.
  const visible = { ...defaultSiteTexts, testimonials: { ...defaultSiteTexts.testimonials, items: [] } }
  expect(await readTexts()).toEqual(visible)
  const hero = { eyebrow: '', title: 'Serve with us', text: 'Enlist before August.' }
  const contact = { ...defaultSiteTexts.contact, email: ' nstp@school.example ' }
  expect((await change({ hero, contact })).status).toBe(200)
  expect(await readTexts()).toEqual({
    ...visible,
    hero,
    contact: { ...contact, email: 'nstp@school.example' },
  })
})

test('a text that breaks a rule is refused at its path', async () => {
  const items = [{ quote: ' ', attribution: 'A graduate' }]
  const response = await change({ testimonials: { title: 'Voices', items } })
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    code: 'invalid',
    errors: [{ path: 'testimonials.items.0.quote', message: 'Please fill in the quote of the testimonial.' }],
  })
})

test('only the administrator changes the texts', async () => {
  const response = await change({ hero: defaultSiteTexts.hero }, {})
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    detail: 'Authentication required. Please login as admin.',
  })
})

test('the audit trail names the changed section', async () => {
  await change({ dataProtection: { officer: 'The registrar', email: '', phone: '' } })
  const address = `${server.url}/api/audit?limit=1&action=settings-changed`
  const { items } = await (await fetch(address, { headers: { cookie } })).json()
  expect(items[0]).toMatchObject({ action: 'settings-changed', fields: ['dataProtection'] })
})

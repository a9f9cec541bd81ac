import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { answerOf, shownText, tickedOf } from '#tests/setup/plain-page.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'

const right = { email: adminEmail, password: adminPassword }

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

test('signing in works as an ordinary form, and opens the dashboard', async () => {
  const { open, press } = openPlainBrowser(product.url)
  const dashboard = await press(await open('/login'), 'Sign in', right)
  expect([dashboard.status, dashboard.address]).toEqual([200, '/admin'])
  expect(shownText(dashboard)).toContain(
    'The admin area needs JavaScript. Please turn it on in your browser.',
  )
})

test('a visitor who is not signed in is sent to the login and then to the page they asked for', async () => {
  const asked = '/admin?tab=students&component=ROTC'
  const { open, press } = openPlainBrowser(product.url)
  const login = await open(asked)
  expect(login.address).toMatch(/^\/login\?/)
  expect((await press(login, 'Sign in', right)).address).toBe(asked)
})

test('a wrong password is refused, keeps the address, and is not in the page', async () => {
  const { open, press, cookies } = openPlainBrowser(product.url)
  const form = await open('/login')
  // The address is named only to a browser that signed in before.
  expect(answerOf(form, 'email')).toBe('')
  const refused = await press(form, 'Sign in', {
    email: adminEmail,
    password: 'not the password',
    keepSignedIn: true,
  })
  expect(refused.status).toBe(401)
  expect(shownText(refused)).toContain('Failed to sign in: Invalid email or password')
  expect(answerOf(refused, 'email')).toBe('coordinator@school.example')
  expect(answerOf(refused, 'password')).toBe('')
  expect(tickedOf(refused, 'keepSignedIn')).toHaveLength(1)
  expect(refused.html).not.toContain('not the password')
  expect([...cookies.keys()].filter((name) => name.includes('session'))).toEqual([])
})

test('a device that is to stay signed in gets a cookie for 30 days, another one for its session', async () => {
  const signIn = (fields: Record<string, string>) =>
    fetch(`${product.url}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: product.url },
      body: new URLSearchParams({ ...right, ...fields }),
    })
  const sessionOf = (answer: Response) =>
    answer.headers.getSetCookie().find((cookie) => cookie.startsWith('nstp-session='))
  expect(sessionOf(await signIn({ keepSignedIn: 'on' }))).toContain('Max-Age=2592000')
  const ordinary = sessionOf(await signIn({}))
  expect(ordinary).toMatch(/HttpOnly/)
  expect(ordinary).not.toMatch(/Max-Age|Expires/i)
})

test('no page of a signed-in person is stored', async () => {
  const { open } = openPlainBrowser(product.url, { Cookie: await signInOverHttp(product.url) })
  for (const path of ['/', '/announcements', '/register', '/admin', '/statistics', '/help', '/nowhere']) {
    const { headers } = await open(path)
    expect([path, headers.get('Cache-Control')]).toEqual([path, 'private, no-store'])
  }
})

test('the pages of the office name nothing to a visitor but the login', async () => {
  const { open } = openPlainBrowser(product.url)
  for (const path of [
    '/admin',
    '/admin/archived',
    '/statistics',
    '/help',
    '/poster',
    '/email-test',
    '/server-test',
  ]) {
    const { address, headers } = await open(path)
    expect([path, address.split('?')[0]]).toEqual([path, '/login'])
    expect(headers.get('Cache-Control')).toMatch(/no-store|no-cache/)
  }
})

test('the first password is taken by its scripts alone, and never sent as an address', async () => {
  const email = 'first@school.example'
  await queryDatabase(
    product.dataDir,
    `insert into admins (id, email, display_name, password_hash, has_first_password, role, components)
     select gen_random_uuid(), '${email}', 'First', password_hash, true, 'coordinator', '{}'
     from admins where email = '${adminEmail}'`,
  )
  const { open } = openPlainBrowser(product.url, {
    Cookie: await signInOverHttp(product.url, undefined, email),
  })
  const page = await open('/admin')
  expect(page.address).toBe('/first-password')
  const form = page.html.slice(page.html.indexOf('<form'), page.html.indexOf('</form>'))
  expect(form).toContain('name="newPassword"')
  expect(form).toMatch(/^<form [^>]*method="post"/)
  expect(page.html.slice(0, page.html.indexOf('<form'))).toMatch(
    /<fieldset [^>]*disabled=""[^>]*>(?!.*<\/fieldset>)/s,
  )
})
